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
    adapt(&out.join("index.js"))
}

/// What workerd needs otherwise than it is written, each with what stands in its place.
const ADAPTED: [(&str, &str); 2] = [
    // It has no source-phase imports; its plain import of a module already gives the compiled `WebAssembly.Module`.
    ("import source ", "import "),
    // A long text enters the module at once, and letter by letter only when it is not ASCII.
    (
        "    for (; offset < len; offset++) {\n        const code = arg.charCodeAt(offset);",
        "    if (len > 256 && cachedTextEncoder.encodeInto(arg, mem.subarray(ptr, ptr + len)).read === len) offset = len;
    for (; offset < len; offset++) {\n        const code = arg.charCodeAt(offset);",
    ),
];

fn adapt(script: &Path) -> Result<()> {
    let mut text = fs::read_to_string(script)?;
    for (written, instead) in ADAPTED {
        if !text.contains(written) {
            return Err(format!("the bindings no longer have {written:?}; look at ADAPTED").into());
        }
        text = text.replace(written, instead);
    }
    Ok(fs::write(script, text)?)
}
