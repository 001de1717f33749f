/**
 * The choices in a video player that this browser remembers: speed, volume, subtitles and the smaller file.
 */
import { isLocale, type Locale } from '@dala/model'
import { isObject } from '../../../../lib/is-object.ts'
import { readStorage, storageKeys, writeStorage } from '../../../../lib/storage-keys.ts'
import { speeds } from './keys.ts'

export interface PlayerChoices {
  speed: (typeof speeds)[number]
  volume: number
  isMuted: boolean
  /** Language of the subtitles, or off; undefined until the user has chosen. */
  subtitles: Locale | 'off' | undefined
  /** Whether to play the smaller file; undefined until the user has chosen: the connection decides. */
  isSmall: boolean | undefined
}

function parseChoices(text: string | null): Record<string, unknown> {
  try {
    const storedChoices: unknown = JSON.parse(text ?? '{}')
    return isObject(storedChoices) ? storedChoices : {}
  } catch {
    // Another program has written the stored choices.
    return {}
  }
}

/** Reads the remembered choices of the player; unknown values get their default. */
export function readChoices(): PlayerChoices {
  const { speed, volume, isMuted, subtitles, isSmall } = parseChoices(readStorage(storageKeys.player))
  return {
    speed: speeds.find((offeredSpeed) => offeredSpeed === speed) ?? 1,
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : 1,
    isMuted: isMuted === true,
    subtitles: subtitles === 'off' || isLocale(subtitles) ? subtitles : undefined,
    isSmall: typeof isSmall === 'boolean' ? isSmall : undefined,
  }
}

/** Changes remembered choices for every later player of this browser. */
export function storeChoices(change: Partial<PlayerChoices>): void {
  writeStorage(storageKeys.player, JSON.stringify({ ...readChoices(), ...change }))
}

/** Whether the user's connection asks for little data, as far as the browser knows. */
export function isWeakConnection(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined
  if (!isObject(connection)) return false
  return connection['saveData'] === true || ['slow-2g', '2g', '3g'].includes(String(connection['effectiveType']))
}

/**
 * Chooses the subtitles that a video player shows at first. Without an earlier choice they are shown for a
 * video of another language, when the wanted language has some.
 *
 * @param availableLocales - Languages with subtitles, the wanted one first.
 * @param wantedLocale - Language of the lesson.
 * @param spokenLocale - Language of the video.
 * @param chosenSubtitles - The choice that this browser remembers.
 */
export function firstSubtitles(
  availableLocales: readonly Locale[],
  wantedLocale: Locale,
  spokenLocale: Locale,
  chosenSubtitles: PlayerChoices['subtitles'],
): Locale | 'off' {
  if (chosenSubtitles === 'off') return 'off'
  if (chosenSubtitles === undefined)
    return spokenLocale !== wantedLocale && availableLocales.includes(wantedLocale) ? wantedLocale : 'off'
  if (availableLocales.includes(wantedLocale)) return wantedLocale
  return availableLocales.includes(chosenSubtitles) ? chosenSubtitles : (availableLocales[0] ?? 'off')
}
