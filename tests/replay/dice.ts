/** Chance from a seed: the same seed, the same throws. */

import { pick, seeded, type Random } from "../shim/value/seeded.ts";

export class Dice {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  /** From 0 up to, not including, `below`. */
  whole(below: number): number {
    return Math.floor(this.#random() * below);
  }

  /** From `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.whole(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  of<Item>(items: readonly Item[]): Item {
    return pick(this.#random, items);
  }

  /** Another seed, for a part that throws its own. */
  seed(): number {
    return this.whole(2 ** 31);
  }

  /** One of the items, each as often as its weight says. */
  weighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item {
    let left = this.#random() * items.reduce((sum, item) => sum + item.weight, 0);
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return items[items.length - 1] as Item;
  }
}
