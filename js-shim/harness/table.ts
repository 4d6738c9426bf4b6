/** `console.table`: rows of own data properties as aligned text. What is no object has no table. */

import { inspect } from "./inspect.ts";
import { getOwnPropertyDescriptor, hasOwn, isArray, list, ownKeys, repeat, type List } from "./primordials.ts";

const MAX_ROWS = 100;
const CELL_BUDGET = 60;
const VALUES = "value";

export function table(value: unknown, only: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return render(value, isArray(only) ? (only as unknown[]) : undefined);
  } catch {
    return undefined;
  }
}

function render(value: object, only: readonly unknown[] | undefined): string {
  const columns = list<string>();
  columns[0] = "";
  const rows = list<List<string>>();
  const column = (name: string): number => {
    for (let i = 1; i < columns.length; i++) if (columns[i] === name) return i;
    if (only !== undefined) return -1;
    columns[columns.length] = name;
    return columns.length - 1;
  };
  if (only !== undefined) {
    for (let i = 0; i < only.length; i++) if (typeof only[i] === "string") columns[columns.length] = only[i] as string;
  }
  eachOwn(value, (key, item) => {
    if (rows.length >= MAX_ROWS) return;
    const row = list<string>();
    row[0] = key;
    rows[rows.length] = row;
    const put = (name: string, cell: unknown): void => {
      const at = column(name);
      if (at < 0) return;
      while (row.length < at) row[row.length] = "";
      row[at] = inspect(cell, CELL_BUDGET);
    };
    if (typeof item === "object" && item !== null) eachOwn(item, put);
    else put(VALUES, item);
  });
  return lines(columns, rows);
}

function lines(columns: List<string>, rows: List<List<string>>): string {
  let text = "";
  for (let r = -1; r < rows.length; r++) {
    const row = r < 0 ? columns : (rows[r] as List<string>);
    if (r >= 0) text += "\n";
    for (let c = 0; c < columns.length; c++) {
      const cell = row[c] ?? "";
      let width = (columns[c] ?? "").length;
      for (let i = 0; i < rows.length; i++) {
        const other = (rows[i] as List<string>)[c] ?? "";
        if (other.length > width) width = other.length;
      }
      text += `${c === 0 ? "" : " | "}${cell}${c === columns.length - 1 ? "" : repeat(" ", width - cell.length)}`;
    }
  }
  return text;
}

function eachOwn(value: object, visit: (key: string, item: unknown) => void): void {
  const keys = ownKeys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string | symbol;
    const slot = getOwnPropertyDescriptor(value, key);
    if (typeof key === "string" && slot?.enumerable === true && hasOwn(slot, "value")) visit(key, slot.value);
  }
}
