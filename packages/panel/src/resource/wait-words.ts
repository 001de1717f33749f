/** Why saving has to wait, or cannot be done at all. */
import type { Translate } from '../lib/format.ts'

/** In: the seconds until the server may be asked again, and whether the record was deleted. */
export function waitWords(t: Translate, wait: number, isGone: boolean | undefined): string | undefined {
  if (isGone) return t('form.isGone')
  return wait > 0 ? t('form.serverBusy', { count: wait }) : undefined
}
