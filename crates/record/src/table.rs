//! Tables as plain columns.

/// One column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// 8-bit values.
    U8(Vec<u8>),
    /// 16-bit values.
    U16(Vec<u16>),
    /// 32-bit values.
    U32(Vec<u32>),
    /// 64-bit values.
    U64(Vec<u64>),
    /// Texts.
    Text(Vec<String>),
}

impl Column {
    /// Bytes of memory that the column holds, unused capacity included and the texts' own bytes not.
    pub fn capacity_bytes(&self) -> usize {
        match self {
            Column::U8(values) => values.capacity(),
            Column::U16(values) => values.capacity() * size_of::<u16>(),
            Column::U32(values) => values.capacity() * size_of::<u32>(),
            Column::U64(values) => values.capacity() * size_of::<u64>(),
            Column::Text(values) => values.capacity() * size_of::<String>(),
        }
    }
}

macro_rules! column_from {
    ($($type:ty => $variant:ident),+) => {
        $(impl From<Vec<$type>> for Column {
            fn from(values: Vec<$type>) -> Column {
                Column::$variant(values)
            }
        })+
    };
}

column_from!(u8 => U8, u16 => U16, u32 => U32, u64 => U64, String => Text);

/// Defines a table of columns and the row that is pushed to it.
macro_rules! table {
    (
        $(#[doc = $table_doc:literal])+
        $table:ident of $row:ident {
            $($(#[doc = $doc:literal])+ $field:ident: $type:ty,)+
        }
    ) => {
        $(#[doc = $table_doc])+
        #[derive(Debug, Default, Clone, PartialEq, Eq)]
        pub struct $table {
            $($(#[doc = $doc])+ pub $field: Vec<$type>,)+
        }

        #[doc = concat!("A row of [`", stringify!($table), "`].")]
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $row {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl $table {
            /// Appends a row.
            pub fn push(&mut self, row: $row) {
                $(self.$field.push(row.$field);)+
            }

            /// The rows.
            pub fn into_rows(self) -> Vec<$row> {
                let rows = self.len();
                $(let mut $field = self.$field.into_iter();)+
                (0..rows)
                    .filter_map(|_| Some($row { $($field: $field.next()?,)+ }))
                    .collect()
            }

            /// The number of rows.
            pub fn len(&self) -> usize {
                [$(self.$field.len()),+][0]
            }

            /// Whether there are no rows.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The names of the columns with their documentation.
            pub fn columns(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
                [$((stringify!($field), concat!($($doc),+).trim())),+].into_iter()
            }

            /// The columns by name.
            pub fn into_columns(self) -> Vec<(&'static str, $crate::Column)> {
                vec![$((stringify!($field), self.$field.into())),+]
            }
        }
    };
}

pub(crate) use table;
