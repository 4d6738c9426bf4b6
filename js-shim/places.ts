/**
 * How many passes may be open at once in one object; the rest wait in order. The platform allows ten Dynamic Workers in
 * flight per object, and time spent here is not counted against a pass.
 */
export class Places {
  #taken = 0;
  readonly #waiting: { limit: number; enter: () => void }[] = [];

  /** Whether someone who came now would have to wait. */
  isFull(limit: number): boolean {
    return this.#taken >= limit || this.#waiting.length > 0;
  }

  /** Resolves when there is a place. The returned function gives it back; it does nothing the second time. */
  async take(limit: number): Promise<() => void> {
    if (this.isFull(limit)) await new Promise<void>((enter) => this.#waiting.push({ limit, enter }));
    // One that waited was counted by whoever let it in: between that moment and this one nobody else may slip in.
    else this.#taken += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#taken -= 1;
      this.#admit();
    };
  }

  #admit(): void {
    const next = this.#waiting[0];
    if (next === undefined || this.#taken >= next.limit) return;
    this.#waiting.shift();
    this.#taken += 1;
    next.enter();
    this.#admit();
  }
}
