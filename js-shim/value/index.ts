/** The value codec: one source for the sandbox harness, the runtime and the client. What the texts look like: `table.ts`. */
export { canonical } from "./canonical.ts";
export { decode } from "./decode.ts";
export { encode, MAX_VALUE_LENGTH } from "./encode.ts";
export type { ValueText } from "./encode.ts";
export { encodeError } from "./encodeError.ts";
export { MalformedValue, NotSerializable } from "./faults.ts";
export { parseJson } from "./json.ts";
export { shown } from "./shown.ts";
export type { JsonValue } from "./shown.ts";
