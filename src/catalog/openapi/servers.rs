//! What paths hang on. The document chooses, never a program: a variable has the value that the document gives it.

use super::document::{Dialect, Document};
use super::raw::Fields;

const MAX_CHARS: usize = 2_000;

/// The server of the document itself.
pub(super) fn of_document(document: &Document<'_>) -> Option<String> {
    match document.dialect {
        Dialect::Swagger2 => of_swagger(&document.root),
        Dialect::OpenApi30 | Dialect::OpenApi31 => of(&document.root),
    }
}

/// The first server that an operation, a path item or a document names; over TLS where the document names it so too.
pub(super) fn of(owner: &Fields<'_>) -> Option<String> {
    let all: Vec<Fields<'_>> = owner
        .list("servers")
        .into_iter()
        .filter_map(Fields::read)
        .collect();
    let first = all.first()?;
    let mut url = first.text("url")?.trim().to_owned();
    if let Some(rest) = url.strip_prefix("http://") {
        let secure = format!("https://{rest}");
        if all
            .iter()
            .any(|it| it.text("url").as_deref() == Some(&secure))
        {
            url = secure;
        }
    }
    if url.len() > MAX_CHARS {
        return None;
    }
    let variables = first.object("variables").unwrap_or_default();
    for (name, raw) in variables.iter().take(100) {
        let Some(variable) = Fields::read(raw) else {
            continue;
        };
        let value = variable
            .text("default")
            .or_else(|| variable.texts("enum").into_iter().next());
        if let Some(value) = value.filter(|value| value.len() <= MAX_CHARS) {
            url = url.replace(&format!("{{{name}}}"), &value);
        }
        if url.len() > MAX_CHARS {
            return None;
        }
    }
    named(url)
}

fn of_swagger(root: &Fields<'_>) -> Option<String> {
    let base = root.text("basePath").unwrap_or_default();
    let Some(host) = root.text("host").filter(|host| !host.is_empty()) else {
        return named(base);
    };
    let schemes = root.texts("schemes");
    let secure = schemes.is_empty() || schemes.iter().any(|scheme| scheme == "https");
    let scheme = if secure { "https" } else { "http" };
    named(format!("{scheme}://{host}{base}"))
}

/// `/` is what is meant when nothing is said.
fn named(url: String) -> Option<String> {
    (!url.is_empty() && url != "/" && url.len() <= MAX_CHARS).then_some(url)
}
