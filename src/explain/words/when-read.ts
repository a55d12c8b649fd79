export function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/**
 * Adds a property to `object` for each of `finders`. Its value is found when it is first read, because lists do not
 * print the sentences about a container, and finding these takes a third of the time.
 */
export function withWhenRead<Known extends object, Words extends object>(
  object: Known,
  finders: { readonly [Name in keyof Words]: () => Words[Name] },
): Known & Words {
  for (const [name, find] of Object.entries<() => unknown>(finders))
    Object.defineProperty(object, name, { get: once(find), enumerable: true });
  return object as Known & Words;
}

/** Adds `more` to a copy of `object`. Unlike a spread, does not read properties that {@link withWhenRead} has added. */
export function extended<Known extends object, More extends object>(object: Known, more: More): Known & More {
  const both = { ...Object.getOwnPropertyDescriptors(object), ...Object.getOwnPropertyDescriptors(more) };
  return Object.defineProperties({}, both) as Known & More;
}
