//! From the compiled module to what a Worker imports.

use std::fs;
use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;

use crate::Result;

/// The module as it is deployed.
pub(crate) const MODULE: &str = "index_bg.wasm";

pub(crate) fn generate(wasm: &Path, out: &Path) -> Result<()> {
    // The one folder whose names change with what they hold; a file of an older build must not survive in a bundle.
    let snippets = out.join("snippets");
    if snippets.exists() {
        fs::remove_dir_all(snippets)?;
    }
    Bindgen::new()
        .input_path(wasm)
        .out_name("index")
        // The form that imports the module and leaves its instantiation to the bindings: a Worker has no other.
        .module(true)?
        .typescript(true)
        // After a panic the shim throws the instance away and builds a new one; both need the generator's help.
        .reset_state_function(true)
        .force_enable_abort_handler(true)
        // A third of what is deployed; the text of a panic names its file and line all the same.
        .remove_name_section(true)
        .generate(out)?;
    use_plain_import(&out.join("index.js"))
}

/// workerd has no source-phase imports; its plain import of a module already gives the compiled `WebAssembly.Module`.
fn use_plain_import(script: &Path) -> Result<()> {
    let text = fs::read_to_string(script)?;
    if !text.contains("import source ") {
        return Err(
            "the bindings no longer import the module by its source; look at use_plain_import"
                .into(),
        );
    }
    Ok(fs::write(
        script,
        text.replace("import source ", "import "),
    )?)
}
