/**
 * What a model sees of a large result: bounded, still valid JSON of the same shape, and marked wherever something was cut,
 * with how much. The largest values are cut first; what is small stays whole. It shapes what is shown, never what is kept.
 */

import { type JsonValue, shown } from "../value/index.ts";
import { CodemodeError } from "./errors.ts";

export type TruncateOptions = {
  /** How long the JSON may be, UTF-16 units. From 48 up: below that there is no room to say what is missing. */
  maxChars?: number | undefined;
  /** The same in tokens of 4 units each. Default 6000. */
  maxTokens?: number | undefined;
};

/** In every mark, for whoever looks for one. */
const MARK = "--- TRUNCATED ---";
const CHARS_PER_TOKEN = 4;
const DEFAULT_TOKENS = 6000;
/** Room for the longest mark in the smallest container. */
const LEAST = 48;
/** An item of a list is cut only when it takes more than this part of the room: whole items are worth more than many. */
const ITEM_SHARE = 1 / 16;
/** The same for a field: dropping a field hides that there is one, so it is cut further before. */
const FIELD_SHARE = 1 / 64;

/** A text of at most so many units. One that is longer ends with a mark. */
export function truncateResponse(text: string, options: TruncateOptions = {}): string {
  const room = roomOf(options);
  return text.length <= room ? text : cut(text, room, (point) => point.length);
}

/**
 * A result whose JSON has at most so many units. One that fits is returned as it is, the same object; of another its shown
 * form (dates as ISO text and so on), shortened.
 */
export function truncateResult(value: unknown, options: TruncateOptions = {}): unknown {
  const room = roomOf(options);
  const whole = shown(value);
  return sizeOf(whole) <= room ? value : fit(whole, room);
}

function roomOf({ maxTokens = DEFAULT_TOKENS, maxChars = maxTokens * CHARS_PER_TOKEN }: TruncateOptions): number {
  if (typeof maxChars !== "number" || Number.isNaN(maxChars)) {
    throw new CodemodeError("invalid_input", `maxChars and maxTokens have to be numbers, not ${String(maxChars)}`);
  }
  return Math.max(LEAST, Math.floor(maxChars));
}

/** `room` is at least `LEAST`, and so is every room that is given on. A shown form is never deeper than the stack can follow. */
function fit(value: JsonValue, room: number): JsonValue {
  if (sizeOf(value) <= room) return value;
  if (typeof value === "string") return cut(value, room - 2, escapedLength);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? fitList(value, room) : fitFields(value, room);
}

function fitList(list: readonly JsonValue[], room: number): JsonValue[] {
  const sizes = list.map(sizeOf);
  const markOf = (dropped: number): string => `${MARK} ${dropped} more items`;
  const costs = sizes.map((size) => size + 1);
  const least = Math.max(LEAST, Math.floor(room * ITEM_SHARE));
  const { kept, left } = keep(costs, least + 1, room - 1, (dropped) => markOf(dropped).length + 3);
  const level = levelOf(costs.slice(0, kept), left) - 1;
  const items = list.slice(0, kept).map((item) => fit(item, level));
  return kept < list.length ? [...items, markOf(list.length - kept)] : items;
}

function fitFields(record: { [key: string]: JsonValue }, room: number): { [key: string]: JsonValue } {
  const entries = Object.entries(record);
  let mark = MARK;
  // Its own data may have that name, for one when it was shortened before.
  while (Object.hasOwn(record, mark)) mark += "-";
  const textOf = (dropped: number): string => `${dropped} more keys`;
  const names = entries.map(([key]) => JSON.stringify(key).length + 2);
  const values = entries.map(([, value]) => sizeOf(value));
  const least = Math.max(LEAST, Math.floor(room * FIELD_SHARE));
  const costs = entries.map((_entry, index) => (names[index] ?? 0) + Math.min(values[index] ?? 0, least));
  // A part of the room goes to the names of what is missing, as many as it holds.
  const namesRoom = Math.floor(room / 8);
  const { kept, left } = keep(costs, Infinity, room - 1, (dropped) => mark.length + textOf(dropped).length + 6 + namesRoom);
  const spent = names.slice(0, kept).reduce((sum, cost) => sum + cost, 0);
  const dropped = entries.slice(kept).map(([key]) => key);
  const listed = dropped.length === 0 ? "" : namesIn(dropped, namesRoom);
  const level = levelOf(values.slice(0, kept), left - spent + (dropped.length === 0 ? 0 : namesRoom - escapedLength(listed)));
  const fields = entries.slice(0, kept).map(([key, value]): [string, JsonValue] => [key, fit(value, level)]);
  if (dropped.length > 0) fields.push([mark, textOf(dropped.length) + listed]);
  return Object.fromEntries(fields);
}

/**
 * How many from the front can be kept when none of them takes more than `most`, and what is left for them once the mark
 * for the others is paid. A cost has its comma in it, and the room a comma more than there are.
 */
function keep(costs: readonly number[], most: number, room: number, markCost: (dropped: number) => number): { kept: number; left: number } {
  let best = { kept: 0, left: room - markCost(costs.length) };
  let sum = 0;
  for (const [index, cost] of costs.entries()) {
    sum += Math.min(cost, most);
    if (sum > room) break;
    const dropped = costs.length - index - 1;
    const left = dropped === 0 ? room : room - markCost(dropped);
    if (sum <= left) best = { kept: index + 1, left };
  }
  return best;
}

/** The height at which all that stand higher are cut, so that together they fill the room: the largest give first. */
function levelOf(sizes: readonly number[], room: number): number {
  let rest = room;
  const rising = [...sizes].sort((one, other) => one - other);
  for (const [index, size] of rising.entries()) {
    const share = Math.floor(rest / (rising.length - index));
    if (size > share) return share;
    rest -= size;
  }
  return Infinity;
}

function namesIn(names: readonly string[], room: number): string {
  let text = ": ";
  for (const [index, name] of names.entries()) {
    const next = `${text}${index === 0 ? "" : ", "}${name}`;
    if (escapedLength(next) + 3 > room) return index === 0 ? "" : `${text}, …`;
    text = next;
  }
  return text;
}

/** The beginning of a text and a mark, together no longer than the room. No pair of surrogates is parted. */
function cut(text: string, room: number, lengthOf: (point: string) => number): string {
  const left = room - ` ${MARK} ${text.length} chars`.length;
  let length = 0;
  let end = 0;
  for (const point of text) {
    length += lengthOf(point);
    if (length > left) break;
    end += point.length;
  }
  return `${text.slice(0, end)} ${MARK} ${text.length - end} chars`;
}

function sizeOf(value: JsonValue): number {
  return JSON.stringify(value).length;
}

/** Units of a text inside JSON. */
function escapedLength(text: string): number {
  return JSON.stringify(text).length - 2;
}
