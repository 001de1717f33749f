/** A condition of a filter while the user enters it: the input so far, and the condition that it makes. */
import { type Condition, readCondition, writeCondition } from './condition.ts'
import type { Filter } from './filter.ts'

export type ConditionKind = Condition['is']

export interface FilterDraft {
  kind: ConditionKind
  text: string
  from: string
  to: string
  values: readonly string[]
}

const kindsByFilter: Readonly<Record<Filter['kind'], readonly ConditionKind[]>> = {
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

/** The kinds of conditions that a filter offers; "empty" only where a record may be without a value. */
export function operatorsOf({ kind, isOptional: canBeEmpty }: Filter): readonly ConditionKind[] {
  return canBeEmpty ? [...kindsByFilter[kind], 'filled', 'empty'] : kindsByFilter[kind]
}

/** Draft of an existing condition of a filter, or an empty draft. */
export function draftOf(filter: Filter, condition: Condition | undefined): FilterDraft {
  const draft: FilterDraft = { kind: operatorsOf(filter)[0] ?? 'anyOf', text: '', from: '', to: '', values: [] }
  return condition ? { ...draft, ...condition, kind: condition.is } : draft
}

function toCondition({ kind, text, from, to, values }: FilterDraft): Condition {
  switch (kind) {
    case 'empty':
    case 'filled':
      return { is: kind }
    case 'range':
      return { is: kind, ...(from && { from }), ...(to && { to }) }
    case 'anyOf':
      return { is: kind, values }
    case 'contains':
    case 'equal':
    case 'starts':
      return { is: kind, text }
  }
}

/**
 * Reason why a draft makes no condition of a filter: `value` when it is empty, `other` when it cannot be
 * read.
 */
export function missingInput(filter: Filter, draft: FilterDraft): 'value' | 'other' | undefined {
  if (conditionOf(filter, draft)) return undefined
  const hasValue =
    draft.kind === 'range' ? draft.from + draft.to : draft.kind === 'anyOf' ? draft.values.join('') : draft.text
  return hasValue.trim() === '' ? 'value' : 'other'
}

/**
 * The condition of a draft, with the ends of a reversed range swapped; undefined while the draft is
 * incomplete.
 */
export function conditionOf(filter: Filter, draft: FilterDraft): Condition | undefined {
  const { from, to } = draft
  const swappedDraft = draft.kind === 'range' ? { ...draft, from: to, to: from } : draft
  const normalize = (filterDraft: FilterDraft) => readCondition(filter, writeCondition(toCondition(filterDraft)))
  return normalize(draft) ?? normalize(swappedDraft)
}
