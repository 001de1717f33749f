/** The Russian words of the interface, in which the journeys are walked: what a button is called stands in one place. */
import type { MessageId, Screen } from '@dala/model'
import russian from '@dala/model/labels/ru.json' with { type: 'json' }

const catalogue: Readonly<Record<string, string>> = russian

/** The words of a key, with its values put in. Keys with plurals are read from the screen instead. */
export function t(id: MessageId, values: Readonly<Record<string, string>> = {}): string {
  const words = catalogue[id] ?? id
  return words.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** What one record of a screen is called, and many of them. */
export const oneOf = (screen: Screen): string => catalogue[`${screen.words}.one`] ?? ''
export const manyOf = (screen: Screen): string => catalogue[`${screen.words}.many`] ?? ''
