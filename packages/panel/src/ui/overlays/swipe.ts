/** When a movement over a picture leads to the next one: the distance is ours, the viewer's own gesture has none. */

/** Pixels sideways that turn a page (requirements §2): 39 stay, 41 move. */
const swipeThreshold = 40

/** In: how far the pointer went. Out: pictures to go on (1) or back (-1); 0 for what was no swipe. */
export function swipeStep(x: number, y: number, isRtl: boolean): -1 | 0 | 1 {
  if (Math.abs(x) < swipeThreshold || Math.abs(y) > Math.abs(x)) return 0
  return x < 0 === isRtl ? -1 : 1
}
