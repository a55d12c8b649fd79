export function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | null = null;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/**
 * Adds a property to `object` itself for each of `finders`, and finds its value at the first read. Lists do not print
 * the sentences about a container, and finding them took a third of the time for each pod (docs/start-up.md).
 */
export function withWhenRead<Known extends object, Words extends object>(
  object: Known,
  finders: { readonly [Name in keyof Words]: () => Words[Name] },
): Known & Words {
  for (const [name, find] of Object.entries<() => unknown>(finders))
    Object.defineProperty(object, name, { get: once(find), enumerable: true });
  return object as Known & Words;
}

/**
 * Returns a copy of `object` with `more`. A spread would read, and thus find, the values that `withWhenRead` has put
 * off.
 */
export function extended<Known extends object, More extends object>(object: Known, more: More): Known & More {
  const both = { ...Object.getOwnPropertyDescriptors(object), ...Object.getOwnPropertyDescriptors(more) };
  return Object.defineProperties({}, both) as Known & More;
}
