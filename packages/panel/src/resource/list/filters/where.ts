/**
 * Conditions of a list's filter joined with "and" and "or", in two levels, and their spelling in the address:
 * `and(status:draft,or(region:5,price:5..10))`; a `~` escapes a sign of the spelling within a value.
 */
import type { Resource } from '@dala/model'
import type { Query } from '../../../api/query-string.ts'
import { readCondition } from '../../../fields/filters/condition.ts'
import { operatorsOf } from '../../../fields/filters/condition-query.ts'
import { filterOf } from '../../../fields/filters/filter.ts'

/** Condition on a field within joined conditions, in the spelling of `fields/filters/condition.ts`. */
export interface FieldCondition {
  name: string
  text: string
}

export interface ConditionTree {
  joinOperator: 'and' | 'or'
  items: readonly (FieldCondition | ConditionTree)[]
}

export const isGroup = (item: FieldCondition | ConditionTree): item is ConditionTree => 'joinOperator' in item

/** Maximum number of joined conditions: nobody reads more, and addresses have a maximum length. */
export const maxConditions = 20

/**
 * Reads joined filter conditions from their spelling. `readText` returns the normal spelling of a condition,
 * or undefined for a meaningless one, which is dropped. The result is undefined when nothing is left, or when
 * the text has another syntax.
 */
export function readWhere(
  text: string,
  readText: (name: string, text: string) => string | undefined,
): ConditionTree | undefined {
  let unreadText = text
  const consumeSign = (sign: RegExp): RegExpExecArray | null => {
    const signMatch = sign.exec(unreadText)
    if (signMatch) unreadText = unreadText.slice(signMatch[0].length)
    return signMatch
  }
  /** Reads a group of joined conditions; null on a syntax error. */
  const group = (isNested: boolean): ConditionTree | null => {
    const joinOperator = consumeSign(/^(?:and|or)\(/)
    if (!joinOperator) return null
    const items: (FieldCondition | ConditionTree)[] = []
    do {
      const isInnerGroup = isNested && /^(?:and|or)\(/.test(unreadText)
      const item = isInnerGroup ? group(false) : readLeaf()
      if (item === null) return null
      if (item && (!isGroup(item) || item.items.length > 0)) items.push(item)
    } while (consumeSign(/^,/))
    return (
      consumeSign(/^\)/) && {
        joinOperator: joinOperator[0] === 'and(' ? 'and' : 'or',
        items: items.slice(0, maxConditions),
      }
    )
  }
  const readLeaf = (): FieldCondition | undefined | null => {
    const [, name, encodedText = ''] = consumeSign(/^(\w+):((?:[^~(),]|~.)*)/su) ?? []
    if (name === undefined) return null
    const condition = readText(name, encodedText.replace(/~(.)/gsu, '$1'))
    return condition === undefined ? undefined : { name, text: condition }
  }
  const rootGroup = group(true)
  return rootGroup && unreadText === '' && rootGroup.items.length > 0 ? rootGroup : undefined
}

/** Spelling of joined conditions in the address; `readWhere` reads it back. */
export function writeWhere({ joinOperator: join, items }: ConditionTree): string {
  const parts = items.map((item) =>
    isGroup(item) ? writeWhere(item) : `${item.name}:${item.text.replace(/[~(),]/g, '~$&')}`,
  )
  return `${join}(${parts.join(',')})`
}

/** Query filter of joined conditions (contract §6). */
export function whereQuery(resource: Resource, { joinOperator: join, items }: ConditionTree): Query {
  const conditions = items.flatMap((item) => {
    if (isGroup(item)) return [whereQuery(resource, item)]
    const filter = filterOf(resource, item.name)
    const condition = filter && readCondition(filter, item.text)
    return condition ? [{ [item.name]: operatorsOf(filter, condition) }] : []
  })
  return { [`$${join}`]: conditions }
}
