//! Identifiers: dense indices, each of its own type so that they can't be mixed up.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($repr:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $repr);

        impl $name {
            /// The identifier as an index.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The identifier of index `index`; `None` when it does not fit.
            pub fn from_index(index: usize) -> Option<$name> {
                <$repr>::try_from(index).ok().map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A host, counted from 0 over the whole fabric.
    HostId(u32)
);
id!(
    /// A switch, counted from 0 over the whole fabric.
    NodeId(u32)
);
id!(
    /// A directed link, counted from 0 over the whole fabric.
    LinkId(u32)
);
id!(
    /// A port of one switch.
    PortId(u16)
);
id!(
    /// A top-of-rack (leaf) switch, counted from 0: the unit of routing state.
    TorId(u16)
);
id!(
    /// A flow, in order of start time.
    FlowId(u32)
);
