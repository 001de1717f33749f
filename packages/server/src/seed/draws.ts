/** Deterministic draws for the samples: numbers that look random and follow from their keys. */

/**
 * Draws a pseudo-random number from keys; every seed draws the same one.
 *
 * @param drawKeys - The keys of the draw, from the general to the special.
 * @returns A number from 0 to below 1, the same for the same keys.
 */
export function drawOf(...drawKeys: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const char of drawKeys.join('\x1f')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/**
 * Draws one of several items from keys, the same at every seed.
 *
 * @param items - At least one item.
 * @param drawKeys - The keys of the draw.
 * @returns The drawn item.
 */
export function pickItem<T>(items: readonly T[], ...drawKeys: readonly (string | number)[]): T {
  const item = items[Math.floor(drawOf(...drawKeys) * items.length)]
  if (item === undefined) throw new Error('There is nothing to draw from')
  return item
}
