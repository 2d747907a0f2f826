//! Sentences of one language by their ids, in the syntax of Fluent.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::Entry;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// All messages of one language.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct Catalogue {
    bundle: FluentBundle<FluentResource>,
    ids: Vec<String>,
}

#[pymethods]
impl Catalogue {
    #[new]
    fn new(language: &str, texts: Vec<String>) -> PyResult<Self> {
        let tag = language
            .parse()
            .map_err(|_| PyValueError::new_err(format!("`{language}` is no language tag")))?;
        let mut bundle = FluentBundle::new_concurrent(vec![tag]);
        // Marks that keep a name's writing direction would stand in files and terminals.
        bundle.set_use_isolating(false);
        let mut ids = Vec::new();
        for text in texts {
            let resource =
                FluentResource::try_new(text).map_err(|(_, faults)| PyValueError::new_err(format!("{faults:?}")))?;
            ids.extend(resource.entries().filter_map(|entry| match entry {
                Entry::Message(message) => Some(message.id.name.to_owned()),
                _ => None,
            }));
            bundle
                .add_resource(resource)
                .map_err(|faults| PyValueError::new_err(format!("{faults:?}")))?;
        }
        Ok(Self { bundle, ids })
    }

    fn ids(&self) -> Vec<String> {
        self.ids.clone()
    }

    /// None of an id that the language does not have.
    fn sentence(&self, id: &str, values: &Bound<'_, PyDict>) -> PyResult<Option<String>> {
        let Some(pattern) = self.bundle.get_message(id).and_then(|message| message.value()) else {
            return Ok(None);
        };
        let mut arguments = FluentArgs::new();
        let values: Vec<_> = values.iter().collect();
        for (name, value) in &values {
            arguments.set(name.cast::<PyString>()?.to_str()?, fluent_value(value)?);
        }
        let mut faults = Vec::new();
        let sentence = self.bundle.format_pattern(pattern, Some(&arguments), &mut faults);
        if faults.is_empty() {
            Ok(Some(sentence.into_owned()))
        } else {
            Err(PyValueError::new_err(format!("message `{id}`: {faults:?}")))
        }
    }
}

/// A whole number chooses plurals; one beyond what 64 bits hold is only shown.
fn fluent_value<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<FluentValue<'a>> {
    // Asking a text for its number makes an error of Python, which takes longer than the sentence.
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(FluentValue::from(text.to_str()?));
    }
    match value.extract::<i64>() {
        Ok(whole) => Ok(FluentValue::from(whole)),
        Err(_) => Ok(FluentValue::from(value.str()?.to_string())),
    }
}
