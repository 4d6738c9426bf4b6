//! Bytes nobody can guess, from the platform: ids and seeds.

use js_sys::{Function, Reflect, Uint8Array, global};
use wasm_bindgen::{JsCast, JsValue};

use crate::runtime::Chance;

/// `None` where the platform has no `crypto.getRandomValues`: an id that can be guessed is worse than none.
pub(crate) fn bytes() -> Option<Chance> {
    let crypto = Reflect::get(&global(), &JsValue::from_str("crypto")).ok()?;
    let fill: Function = Reflect::get(&crypto, &JsValue::from_str("getRandomValues"))
        .ok()?
        .dyn_into()
        .ok()?;
    let mut chance: Chance = [0; 48];
    let array = Uint8Array::new_with_length(48);
    fill.call1(&crypto, &array).ok()?;
    array.copy_to(&mut chance);
    Some(chance)
}
