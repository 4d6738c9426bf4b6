/**
 * Chance that a replay repeats: a fast generator for `Math.random` and ChaCha20 for bytes, both from the execution's secret
 * seed. The program has one stream and every step its own, so skipping a step on replay shifts nothing.
 */

import { chachaBlock } from "./chacha.ts";
import { NativeUint32Array, NativeUint8Array, typedArrayBuffer } from "./primordials.ts";

export class Chance {
  readonly #key = new NativeUint32Array(8);
  readonly #nonce = new NativeUint32Array(3);
  readonly #block = new NativeUint32Array(16);
  /** The same memory as `#block`; RFC 8439 writes words little-endian, as every platform of ours does. */
  readonly #bytes = new NativeUint8Array(typedArrayBuffer(this.#block));
  #counter = 0;
  #used = 64;
  // The four words of sfc32.
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** `stream` 0 is the program's, n + 1 that of step n. */
  constructor(seed: string, stream: number) {
    for (let i = 0; i < 8; i++) {
      let word = 0;
      for (let at = i * 8 + 6; at >= i * 8; at -= 2) word = (word << 8) | +`0x${seed[at]}${seed[at + 1]}`;
      this.#key[i] = word;
    }
    this.#nonce[0] = stream;
    this.#refill();
    this.#a = this.#block[0] as number;
    this.#b = this.#block[1] as number;
    this.#c = this.#block[2] as number;
    this.#d = this.#block[3] as number;
    // What seeds the fast generator is no output of the secret one.
    this.#used = 64;
  }

  /** In [0, 1), with 53 bits. */
  random(): number {
    const high = this.#word();
    return (high * 2_097_152 + (this.#word() >>> 11)) / 9_007_199_254_740_992;
  }

  fill(bytes: Uint8Array, length: number): void {
    for (let i = 0; i < length; i++) {
      if (this.#used === 64) this.#refill();
      bytes[i] = this.#bytes[this.#used++] as number;
    }
  }

  #refill(): void {
    chachaBlock(this.#key, this.#counter++, this.#nonce, this.#block);
    this.#used = 0;
  }

  /** One step of sfc32. */
  #word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}
