/** Finds the action of a key that is pressed in the video player. */
import { isPressed, type Keys, shortcuts } from '../../../../lib/keys/shortcuts.ts'

/** Playing speeds of a video to choose from. */
export const speeds = [0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** Actions of the video player that keys call. */
interface PlayerActions {
  togglePlay: () => void
  /** Moves the video by seconds. */
  move: (seconds: number) => void
  /** Moves the video to a share of its length, from 0 to 1. */
  moveTo: (share: number) => void
  changeVolume: (by: number) => void
  toggleMute: () => void
  toggleSubtitles: () => void
  toggleFullScreen: () => void
  /** Chooses the next higher or lower playing speed. */
  changeSpeed: (by: 1 | -1) => void
}

type Act = (actions: PlayerActions) => void

const table: readonly (readonly [keys: readonly Keys[], act: Act])[] = [
  [shortcuts.player.play, ({ togglePlay }) => togglePlay()],
  [shortcuts.player.back, ({ move }) => move(-10)],
  [shortcuts.player.forward, ({ move }) => move(10)],
  [[{ code: 'ArrowLeft' }], ({ move }) => move(-5)],
  [[{ code: 'ArrowRight' }], ({ move }) => move(5)],
  [[{ code: 'ArrowUp' }], ({ changeVolume }) => changeVolume(0.1)],
  [[{ code: 'ArrowDown' }], ({ changeVolume }) => changeVolume(-0.1)],
  [shortcuts.player.mute, ({ toggleMute }) => toggleMute()],
  [shortcuts.player.subtitles, ({ toggleSubtitles }) => toggleSubtitles()],
  [shortcuts.player.fullScreen, ({ toggleFullScreen }) => toggleFullScreen()],
  [[{ sign: '<' }], ({ changeSpeed }) => changeSpeed(-1)],
  [[{ sign: '>' }], ({ changeSpeed }) => changeSpeed(1)],
  [[{ code: 'Home' }], ({ moveTo }) => moveTo(0)],
  [[{ code: 'End' }], ({ moveTo }) => moveTo(1)],
]

/** Keys that the focused control handles itself: a button Space, a slider and a choice the arrows. */
function belongsToControl({ target, code }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('button, a')) return code === 'Space' || code === 'Enter'
  const ownsArrows = target.matches('[type="radio"], [data-volume]')
  return ownsArrows && (code.startsWith('Arrow') || code === 'Space' || code === 'Home' || code === 'End')
}

/**
 * Finds the player's action for a key.
 *
 * @returns The action; undefined when the key has none, or belongs to the focused control.
 */
export function actionOfKey(event: KeyboardEvent): Act | undefined {
  if (belongsToControl(event)) return undefined
  const found = table.find(([keys]) => isPressed(event, keys))
  if (found) return found[1]
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]
  if (digit === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined
  return ({ moveTo }) => moveTo(Number(digit) / 10)
}
