//! Builds the runtime's WebAssembly module and its JavaScript bindings.
//!
//! `cargo xtask build [--features NAME] [--out DIR]` compiles the library for `wasm32-unknown-unknown` and runs the
//! bindings' generator over it. The result, `index.js`, `index.d.ts` and `index_bg.wasm`, goes into `gen/`.
//! It does nothing else: the harness bundle is `scripts/bundle-harness.mjs`, checks are `scripts/test.mjs`.

mod bindings;
mod stamp;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const USAGE: &str = "usage: cargo xtask build [--features NAME] [--out DIR]";
const TARGET: &str = "wasm32-unknown-unknown";

/// What one build is asked for.
struct Build {
    /// Cargo features of the library, comma separated; empty in the shipped build.
    features: String,
    /// Where the bindings go, relative to the repository.
    out: PathBuf,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let build = parse(env::args().skip(1))?;
    let root = repository()?;
    let wasm = compile(&root, &build.features)?;
    let out = root.join(&build.out);
    // Cargo decides whether the module changed; the stamp spares the generator, which would not notice.
    let stamp = stamp::of(&fs::read(&wasm)?);
    if stamp::is_current(&out, &stamp) {
        eprintln!("xtask: {} is up to date", build.out.display());
        return Ok(());
    }
    bindings::generate(&wasm, &out)?;
    stamp::write(&out, &stamp)?;
    let size = fs::metadata(out.join(bindings::MODULE))?.len();
    eprintln!(
        "xtask: {} written, module of {size} bytes",
        build.out.display()
    );
    Ok(())
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Build> {
    if args.next().as_deref() != Some("build") {
        return Err(USAGE.into());
    }
    let mut build = Build {
        features: String::new(),
        out: PathBuf::from("gen"),
    };
    while let Some(flag) = args.next() {
        let value = args.next().ok_or(USAGE)?;
        match flag.as_str() {
            "--features" => build.features = value,
            "--out" => build.out = PathBuf::from(value),
            _ => return Err(USAGE.into()),
        }
    }
    Ok(build)
}

/// The repository is asked of cargo at run time: a path compiled in would be wrong in a copied checkout.
fn repository() -> Result<PathBuf> {
    let xtask = env::var_os("CARGO_MANIFEST_DIR").ok_or("start me with `cargo xtask`")?;
    let root = Path::new(&xtask)
        .parent()
        .ok_or("xtask has no parent folder")?;
    Ok(root.to_path_buf())
}

fn compile(root: &Path, features: &str) -> Result<PathBuf> {
    let target_dir = root.join("target");
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--locked", "--lib", "--release"])
        .args(["--target", TARGET, "--features", features])
        .arg("--target-dir")
        .arg(&target_dir)
        .current_dir(root)
        // Cargo tells a child about the package that it runs; the library must not see xtask's.
        .env_remove("CARGO_MANIFEST_DIR")
        .status()?;
    if !status.success() {
        return Err("the library does not compile".into());
    }
    Ok(target_dir
        .join(TARGET)
        .join("release")
        .join("codemode.wasm"))
}
