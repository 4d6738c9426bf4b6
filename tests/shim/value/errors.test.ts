/**
 * Errors as both languages know them: `tests/fixtures/values/errors.json`, read here and by `tests/errors.rs`.
 * `thrown` is what `encodeError` makes of errors; Rust takes the message out of it and leaves the text alone.
 * `decided` is what Rust makes of failures that the runtime itself decides on; here it has to be an Error again.
 */

import { expect, test } from "vitest";

import { decode, encodeError } from "../../../js-shim/value/index.ts";
import fixture from "../../fixtures/values/errors.json" with { type: "json" };

class HttpError extends RangeError {
  override name = "HttpError";
  status = 500;
}

const thrown: Record<string, () => unknown> = {
  "an Error": () => new Error("broken"),
  "an Error without a message": () => new Error(),
  "an Error of another type": () => new TypeError("not a number"),
  "an Error of another type without a message": () => new TypeError(),
  "an Error of a class": () => new HttpError("down"),
  "an Error with a name and no message": () => Object.assign(new Error(), { name: "Gone" }),
  "an Error with code and data": () => Object.assign(new Error("no such file"), { code: "ENOENT", data: { path: "/a", at: new Date(0), size: 5n } }),
  "an Error with a cause": () => new Error("outer", { cause: new TypeError("inner") }),
  "an Error that is its own cause": () => {
    const error = new Error("me");
    error.cause = error;
    return error;
  },
  "an AggregateError": () => new AggregateError([new Error("one"), "two"], "all"),
  "a message of every plane": () => new Error('a\u0000"\\\n\u2028é漢😀'),
  "half a surrogate pair": () => new Error("half \ud83d of a face"),
  "halves of pairs everywhere": () => Object.assign(new Error("\ude00\ud83d"), { name: "\ud83d", "\ud83d": ["\ude00"] }),
  "a message that looks like an escape": () => new Error("\\ud83d"),
  "a text": () => "just a text",
  "an empty text": () => "",
  "nothing": () => undefined,
  "an object with a message": () => ({ message: "like an error", n: 1 }),
  "an object": () => ({ n: [1, 2] }),
};

test.each(fixture.thrown)("$name is written as the fixture has it", ({ name, text }) => {
  const make = thrown[name];
  expect(make).toBeDefined();
  expect(encodeError(make?.())).toBe(text);
});

test("every error of the table is in the fixture", () => {
  expect(fixture.thrown.map(({ name }) => name)).toEqual(Object.keys(thrown));
});

test.each(fixture.decided)("a failure that Rust decides on is an Error here: $code", ({ code, message, text }) => {
  const error = decode(text);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "Error", message, code });
  expect(encodeError(error)).toBe(text);
});
