export function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/**
 * Changes `object`: adds a property for each of `finders`. A finder runs only when its property is first read, because
 * lists do not need all values (docs/start-up.md).
 */
export function withWhenRead<Known extends object, Words extends object>(
  object: Known,
  finders: { readonly [Name in keyof Words]: () => Words[Name] },
): Known & Words {
  for (const [name, find] of Object.entries<() => unknown>(finders))
    Object.defineProperty(object, name, { get: once(find), enumerable: true });
  return object as Known & Words;
}

/** Unlike a spread, does not read the properties of `object`, because a read can run a finder (see `withWhenRead`). */
export function extended<Known extends object, More extends object>(object: Known, more: More): Known & More {
  const both = { ...Object.getOwnPropertyDescriptors(object), ...Object.getOwnPropertyDescriptors(more) };
  return Object.defineProperties({}, both) as Known & More;
}
