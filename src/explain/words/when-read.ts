/** Makes a function that calls `find` at most once, when it is called first. */
export function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/**
 * Adds properties to `object` whose values are found when they are read, each at most once: a list prints none of the
 * sentences about a container, and finding them takes a third of the time.
 */
export function withWhenRead<Known extends object, Words extends object>(
  object: Known,
  finders: { readonly [Name in keyof Words]: () => Words[Name] },
): Known & Words {
  for (const [name, find] of Object.entries<() => unknown>(finders))
    Object.defineProperty(object, name, { get: once(find), enumerable: true });
  return object as Known & Words;
}
