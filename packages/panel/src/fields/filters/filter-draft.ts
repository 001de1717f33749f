/** A condition while the user enters it: the input so far, and the condition that it makes. */
import { type Condition, readCondition, writeCondition } from './condition.ts'
import type { Filter } from './filter.ts'

export type Way = Condition['is']

export interface FilterDraft {
  way: Way
  text: string
  from: string
  to: string
  values: readonly string[]
}

const ways: Readonly<Record<Filter['kind'], readonly Way[]>> = {
  text: ['contains', 'equal', 'starts'],
  number: ['range'],
  day: ['range'],
  moment: ['range'],
  choice: ['anyOf'],
  truth: ['anyOf'],
  link: ['anyOf'],
  presence: [],
  language: ['anyOf'],
}

/** The conditions that a filter offers; "empty" only where a record may be without a value. */
export function operatorsOf({ kind, optional }: Filter): readonly Way[] {
  return optional ? [...ways[kind], 'filled', 'empty'] : ways[kind]
}

/** The draft of an existing condition, or an empty one. */
export function draftOf(filter: Filter, condition: Condition | undefined): FilterDraft {
  const draft: FilterDraft = { way: operatorsOf(filter)[0] ?? 'anyOf', text: '', from: '', to: '', values: [] }
  return condition ? { ...draft, ...condition, way: condition.is } : draft
}

function toCondition({ way, text, from, to, values }: FilterDraft): Condition {
  switch (way) {
    case 'empty':
    case 'filled':
      return { is: way }
    case 'range':
      return { is: way, ...(from && { from }), ...(to && { to }) }
    case 'anyOf':
      return { is: way, values }
    case 'contains':
    case 'equal':
    case 'starts':
      return { is: way, text }
  }
}

/** Why a draft makes no condition: `value` when it is empty, `other` when it cannot be read. */
export function needs(filter: Filter, draft: FilterDraft): 'value' | 'other' | undefined {
  if (conditionOf(filter, draft)) return undefined
  const given =
    draft.way === 'range' ? draft.from + draft.to : draft.way === 'anyOf' ? draft.values.join('') : draft.text
  return given.trim() === '' ? 'value' : 'other'
}

/**
 * The condition of a draft, with the ends of a reversed range swapped; undefined while the draft is
 * incomplete.
 */
export function conditionOf(filter: Filter, draft: FilterDraft): Condition | undefined {
  const { from, to } = draft
  const turned = draft.way === 'range' ? { ...draft, from: to, to: from } : draft
  const read = (one: FilterDraft) => readCondition(filter, writeCondition(toCondition(one)))
  return read(draft) ?? read(turned)
}
