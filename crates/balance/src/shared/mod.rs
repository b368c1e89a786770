//! Parts that several schemes are made of, each written and tested once.

pub(crate) mod flowlet_table;
pub(crate) mod least_loaded;
pub(crate) mod sample;

#[cfg(test)]
pub(crate) mod testing;
