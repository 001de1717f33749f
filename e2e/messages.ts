/**
 * The Russian messages of the interface, which the tests use: the label of a button is defined in one place.
 */
import type { MessageId, Screen } from '@dala/model'
import russian from '@dala/model/labels/ru.json' with { type: 'json' }

const catalogue: Readonly<Record<string, string>> = russian

/**
 * The Russian message of a key, with its values filled in. Messages with plural forms are read from the
 * screen instead.
 */
export function t(id: MessageId, values: Readonly<Record<string, string>> = {}): string {
  const template = catalogue[id] ?? id
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
}

/** The singular and plural names of a screen's records. */
export const titleOfOne = (screen: Screen): string => catalogue[`${screen.labelPrefix}.one`] ?? ''
export const listTitleOf = (screen: Screen): string => catalogue[`${screen.labelPrefix}.many`] ?? ''
