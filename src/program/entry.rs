//! What an entry function is called with, read off its parameters.
//!
//! A parameter named like a namespace is given that namespace; one that takes an object apart whose keys are all
//! namespaces is given an object of all of them; the first other one is given the input. `codemode` counts as a namespace.

use oxc_ast::ast::{BindingPattern, FormalParameters};

use super::names::Names;

#[derive(Debug)]
pub(super) struct Frame<'o> {
    pub(super) namespaces: &'o [String],
    pub(super) names: Names,
}

impl Frame<'_> {
    /// The beginning of the module. Its parameters are the harness's: what the program is called with, and the budget.
    pub(super) fn head(&self) -> String {
        let Names { input, more, .. } = &self.names;
        format!("export default async ({input},{more}) => {{")
    }

    /// The text between the parentheses of the call.
    pub(super) fn arguments(&self, parameters: &FormalParameters<'_>) -> String {
        let mut input = Some(self.names.input.clone());
        if parameters.items.is_empty() {
            return input.unwrap_or_default();
        }
        let arguments: Vec<String> = parameters
            .items
            .iter()
            .map(|parameter| match &parameter.pattern {
                BindingPattern::BindingIdentifier(it) if self.is_namespace(&it.name) => {
                    global(&it.name)
                }
                pattern if self.takes_namespaces(pattern) => self.all(),
                _ => input.take().unwrap_or_else(|| "void 0".to_owned()),
            })
            .collect();
        arguments.join(",")
    }

    fn takes_namespaces(&self, pattern: &BindingPattern<'_>) -> bool {
        let BindingPattern::ObjectPattern(it) = pattern else {
            return false;
        };
        let is_key = |name: Option<&str>| name.is_some_and(|name| self.is_namespace(name));
        !it.properties.is_empty()
            && it
                .properties
                .iter()
                .all(|property| !property.computed && is_key(property.key.static_name().as_deref()))
    }

    pub(super) fn is_namespace(&self, name: &str) -> bool {
        name == "codemode" || self.namespaces.iter().any(|it| it == name)
    }

    fn all(&self) -> String {
        let names = self
            .namespaces
            .iter()
            .map(String::as_str)
            .chain(["codemode"]);
        let entries: Vec<_> = names
            .map(|name| format!("{}:{}", quoted(name), global(name)))
            .collect();
        format!("{{{}}}", entries.join(","))
    }
}

/// Not the bare name: the program may have a variable of that name.
fn global(name: &str) -> String {
    format!("globalThis[{}]", quoted(name))
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}
