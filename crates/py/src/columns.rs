//! Columns as bytes that `numpy.frombuffer` reads without knowing Rust; little-endian.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A number as its bytes.
pub(crate) trait Cell: Copy {
    /// How many bytes it takes.
    const BYTES: usize;

    /// Writes them.
    fn put(self, target: &mut [u8]);
}

macro_rules! cell {
    ($number:ty) => {
        impl Cell for $number {
            const BYTES: usize = size_of::<$number>();

            fn put(self, target: &mut [u8]) {
                target.copy_from_slice(&self.to_le_bytes());
            }
        }
    };
}

cell!(u8);
cell!(u64);
cell!(f64);

/// A column, dtype `u1`, `<u8` or `<f8`; a field of it is an attribute of a Python object.
pub(crate) struct Column<T>(Vec<T>);

impl<T> Column<T> {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl<T> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<'py, T: Cell> IntoPyObject<'py> for &Column<T> {
    type Target = PyBytes;
    type Output = Bound<'py, PyBytes>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        PyBytes::new_with(py, self.0.len() * T::BYTES, |bytes| {
            for (cell, value) in bytes.chunks_exact_mut(T::BYTES).zip(&self.0) {
                value.put(cell);
            }
            Ok(())
        })
    }
}

impl<'py, T: Cell> IntoPyObject<'py> for Column<T> {
    type Target = PyBytes;
    type Output = Bound<'py, PyBytes>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        (&self).into_pyobject(py)
    }
}
