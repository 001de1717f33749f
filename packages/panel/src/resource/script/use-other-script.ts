/** A text that the reader shows in its other script, until the page is closed; nothing of it is stored. */
import { type Locale, type OtherScript, otherScriptOf } from '@dala/model'
import { useState } from 'react'
import { onSessionEnd } from '../../lib/session-end.ts'

/** Texts shown in the other script: a message that scrolls back into view is still converted. */
const convertedKeys = new Set<string>()
const maxKeys = 500

function rememberConverted(key: string, isConverted: boolean): void {
  convertedKeys.delete(key)
  if (isConverted) convertedKeys.add(key)
  const [oldestKey] = convertedKeys
  if (convertedKeys.size > maxKeys && oldestKey !== undefined) convertedKeys.delete(oldestKey)
}

onSessionEnd(() => convertedKeys.clear())

export interface ScriptView {
  /** The text in its other script, while the reader wants it so. */
  converted: OtherScript | undefined
  /** Returns the text in its other script; undefined where it has none. */
  find: () => OtherScript | undefined
  toggle: () => void
}

/**
 * Shows a text in its other script on demand.
 *
 * @param key - Names the text among all texts of the panel.
 * @param text - The text as it was written.
 * @param known - Language of its room or its author, if there is one.
 */
export function useOtherScript(key: string, text: string | null, known: Locale | null | undefined): ScriptView {
  const [isConverted, setConverted] = useState(() => convertedKeys.has(key))
  const find = () => (text === null ? undefined : otherScriptOf(text, known))
  return {
    converted: isConverted ? find() : undefined,
    find,
    toggle: () => {
      rememberConverted(key, !isConverted)
      setConverted(!isConverted)
    },
  }
}
