/** The ChaCha20 block function (RFC 8439, section 2.3). Typed arrays only: an index in range asks no prototype. */

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const;
const state = new Uint32Array(16);

/** Writes block number `counter` of the stream (`key` 8 words, `nonce` 3 words) to `out`, 16 words. */
export function chachaBlock(key: Uint32Array, counter: number, nonce: Uint32Array, out: Uint32Array): void {
  for (let i = 0; i < 4; i++) state[i] = CONSTANTS[i] as number;
  for (let i = 0; i < 8; i++) state[4 + i] = key[i] as number;
  state[12] = counter;
  for (let i = 0; i < 3; i++) state[13 + i] = nonce[i] as number;
  for (let i = 0; i < 16; i++) out[i] = state[i] as number;
  for (let round = 0; round < 10; round++) {
    quarter(out, 0, 4, 8, 12);
    quarter(out, 1, 5, 9, 13);
    quarter(out, 2, 6, 10, 14);
    quarter(out, 3, 7, 11, 15);
    quarter(out, 0, 5, 10, 15);
    quarter(out, 1, 6, 11, 12);
    quarter(out, 2, 7, 8, 13);
    quarter(out, 3, 4, 9, 14);
  }
  for (let i = 0; i < 16; i++) out[i] = (out[i] as number) + (state[i] as number);
}

function quarter(words: Uint32Array, a: number, b: number, c: number, d: number): void {
  mix(words, a, b, d, 16);
  mix(words, c, d, b, 12);
  mix(words, a, b, d, 8);
  mix(words, c, d, b, 7);
}

/** `to += by; turned = (turned ^ to) <<< bits`. */
function mix(words: Uint32Array, to: number, by: number, turned: number, bits: number): void {
  const sum = ((words[to] as number) + (words[by] as number)) | 0;
  const mixed = (words[turned] as number) ^ sum;
  words[to] = sum;
  words[turned] = (mixed << bits) | (mixed >>> (32 - bits));
}
