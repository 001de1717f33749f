/** Finds the action of a key that is pressed in the video player. */
import { isPressed, type ShortcutKeys, shortcuts } from '../../../../lib/keys/shortcuts.ts'

/** Playing speeds of a video to choose from. */
export const speeds = [0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** Actions of the video player that keys call. */
interface PlayerActions {
  togglePlay: () => void
  /** Moves the video by seconds. */
  move: (seconds: number) => void
  /** Moves the video to a share of its length, from 0 to 1. */
  moveTo: (share: number) => void
  changeVolume: (volumeStep: number) => void
  toggleMute: () => void
  toggleSubtitles: () => void
  toggleFullScreen: () => void
  /** Chooses the next higher or lower playing speed. */
  changeSpeed: (speedStep: 1 | -1) => void
}

type Act = (actions: PlayerActions) => void

/** State that a key changes; a screen reader announces it, because the focus is on another control. */
export type AnnouncedState = 'position' | 'volume' | 'subtitles' | 'speed'

export interface KeyAction {
  act: Act
  /** State that a screen reader announces; undefined for playing, which is audible, and for the full screen. */
  announcedState: AnnouncedState | undefined
}

const table: readonly (readonly [keys: readonly ShortcutKeys[], act: Act, announced?: AnnouncedState])[] = [
  [shortcuts.player.play, ({ togglePlay }) => togglePlay()],
  [shortcuts.player.back, ({ move }) => move(-10), 'position'],
  [shortcuts.player.forward, ({ move }) => move(10), 'position'],
  [[{ code: 'ArrowLeft' }], ({ move }) => move(-5), 'position'],
  [[{ code: 'ArrowRight' }], ({ move }) => move(5), 'position'],
  [[{ code: 'ArrowUp' }], ({ changeVolume }) => changeVolume(0.1), 'volume'],
  [[{ code: 'ArrowDown' }], ({ changeVolume }) => changeVolume(-0.1), 'volume'],
  [shortcuts.player.mute, ({ toggleMute }) => toggleMute(), 'volume'],
  [shortcuts.player.subtitles, ({ toggleSubtitles }) => toggleSubtitles(), 'subtitles'],
  [shortcuts.player.fullScreen, ({ toggleFullScreen }) => toggleFullScreen()],
  [[{ sign: '<' }], ({ changeSpeed }) => changeSpeed(-1), 'speed'],
  [[{ sign: '>' }], ({ changeSpeed }) => changeSpeed(1), 'speed'],
  [[{ code: 'Home' }], ({ moveTo }) => moveTo(0), 'position'],
  [[{ code: 'End' }], ({ moveTo }) => moveTo(1), 'position'],
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
export function actionOfKey(event: KeyboardEvent): KeyAction | undefined {
  if (belongsToControl(event)) return undefined
  const foundBinding = table.find(([keys]) => isPressed(event, keys))
  if (foundBinding) return { act: foundBinding[1], announcedState: foundBinding[2] }
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1]
  if (digit === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined
  return { act: ({ moveTo }) => moveTo(Number(digit) / 10), announcedState: 'position' }
}
