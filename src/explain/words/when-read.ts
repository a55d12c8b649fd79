export function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/**
 * Adds a property to `object` itself for each of `finders`, and finds its value at the first read, because lists do not
 * need all values (docs/start-up.md).
 */
export function withWhenRead<Known extends object, Words extends object>(
  object: Known,
  finders: { readonly [Name in keyof Words]: () => Words[Name] },
): Known & Words {
  for (const [name, find] of Object.entries<() => unknown>(finders))
    Object.defineProperty(object, name, { get: once(find), enumerable: true });
  return object as Known & Words;
}

/** Unlike a spread, does not read the properties of `object`, whose values may be found only when they are read. */
export function extended<Known extends object, More extends object>(object: Known, more: More): Known & More {
  const both = { ...Object.getOwnPropertyDescriptors(object), ...Object.getOwnPropertyDescriptors(more) };
  return Object.defineProperties({}, both) as Known & More;
}
