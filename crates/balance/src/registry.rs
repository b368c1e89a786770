//! The list of schemes: the one place to add a line for a new one.

use crate::{Balancer, Manual};

/// Work that is generic over the scheme; the answer of [`dispatch`] to a scheme known only by name.
pub trait Visitor {
    /// What the work gives.
    type Output;

    /// Does the work with scheme `B`.
    fn visit<B: Balancer + Send>(self) -> Self::Output;
}

macro_rules! schemes {
    ($($scheme:ty),+ $(,)?) => {
        /// The manual pages of all schemes, in the order in which they are listed to users.
        pub const MANUALS: &[Manual] = &[$(<$scheme as Balancer>::MANUAL),+];

        /// Runs `visitor` with the scheme called `name`; `None` if there is no such scheme.
        pub fn dispatch<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(
                if name == <$scheme as Balancer>::MANUAL.name {
                    return Some(visitor.visit::<$scheme>());
                }
            )+
            None
        }
    };
}

schemes!(
    crate::ecmp::Ecmp,
    crate::random_packet::RandomPacket,
    crate::round_robin_packet::RoundRobinPacket,
    crate::drill::Drill,
    crate::letflow::LetFlow,
);

/// The manual page of the scheme called `name`.
pub fn manual(name: &str) -> Option<&'static Manual> {
    MANUALS.iter().find(|manual| manual.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_pages_are_whole() {
        let names: BTreeSet<&str> = MANUALS.iter().map(|manual| manual.name).collect();
        assert_eq!(names.len(), MANUALS.len());
        for manual in MANUALS {
            for text in [
                manual.summary,
                manual.description,
                manual.published,
                manual.state,
            ] {
                assert!(!text.is_empty(), "{} has an empty section", manual.name);
            }
            for param in manual.params {
                assert!(
                    !param.source.is_empty(),
                    "{}.{} has no source",
                    manual.name,
                    param.name
                );
                assert!(
                    (param.min..=param.max).contains(&param.default),
                    "{}",
                    param.name
                );
            }
        }
    }
}
