/** The texts of a record side by side: their fields, their source language, their progress. */
import type { Field, Resource } from '@dala/model'
import { hasText, type Values, writableFields } from '../../resource/form/values.ts'

/** Fields of a record that differ by language, in the order of the form. */
export function textFields(resource: Resource): [string, Field][] {
  const { sections = [], aside = [] } = resource.form ?? {}
  const order = [...sections.flatMap(({ fields }) => fields), ...aside]
  const positionOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return writableFields(resource)
    .filter(([, field]) => field.localized)
    .toSorted(([a], [b]) => positionOf(a) - positionOf(b))
}

const isFilled = (values: Values | undefined, name: string) => hasText({ [name]: values?.[name] })

/** Counts the translated fields among those that the source has. */
export function progressOf(
  names: readonly string[],
  source: Values | undefined,
  target: Values | undefined,
): { filled: number; all: number } {
  const requiredNames = names.filter((name) => isFilled(source, name))
  return { filled: requiredNames.filter((name) => isFilled(target, name)).length, all: requiredNames.length }
}
