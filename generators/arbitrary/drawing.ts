import fc from "fast-check";
import type { Random } from "../sample/random.ts";

/** How to draw, recognize and shrink values of one class. */
export interface Drawing<T> {
  draw(random: Random): T;
  /** Smaller candidates for a value, the smallest first. The caller checks that they belong to the class. */
  smaller(value: T): Iterable<T>;
  belongs(value: unknown): value is T;
}

/** Makes a fast-check arbitrary that draws with one of our generators and shrinks inside its class. It keeps no state between draws. */
export function arbitraryOf<T>(drawing: Drawing<T>): fc.Arbitrary<T> {
  return new DrawingArbitrary(drawing);
}

class DrawingArbitrary<T> extends fc.Arbitrary<T> {
  readonly #drawing: Drawing<T>;

  constructor(drawing: Drawing<T>) {
    super();
    this.#drawing = drawing;
  }

  override generate(source: fc.Random): fc.Value<T> {
    const random: Random = { next: () => source.nextInt(-0x80000000, 0x7fffffff) };
    return new fc.Value(this.#drawing.draw(random), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#drawing.belongs(value);
  }

  override shrink(value: T): fc.Stream<fc.Value<T>> {
    return fc.stream(this.#shrinks(value));
  }

  *#shrinks(value: T): IterableIterator<fc.Value<T>> {
    for (const candidate of this.#drawing.smaller(value))
      if (this.#drawing.belongs(candidate)) yield new fc.Value(candidate, undefined);
  }
}
