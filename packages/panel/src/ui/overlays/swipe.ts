/**
 * Decides when a movement over a picture leads to the next one; the viewer's own gesture has no minimum
 * distance.
 */

/** Horizontal pixels of a swipe that turn a page (requirements §2): 39 stay, 41 move. */
const swipeThreshold = 40

/**
 * Converts the movement of a swipe to a step.
 *
 * @param x - Horizontal pixels.
 * @param y - Vertical pixels.
 * @param isRtl - Whether the page is right to left.
 * @returns 1 for the next picture, -1 for the previous one, 0 for no swipe.
 */
export function swipeStep(x: number, y: number, isRtl: boolean): -1 | 0 | 1 {
  if (Math.abs(x) < swipeThreshold || Math.abs(y) > Math.abs(x)) return 0
  return x < 0 === isRtl ? -1 : 1
}
