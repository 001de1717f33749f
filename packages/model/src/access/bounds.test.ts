/**
 * Every bound of the registry has labels in four languages, and a condition of an unknown shape is an error.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { decideAccess, operationNames, type RowFilter, roleTypes } from './access.ts'
import { type AccessBound, type BoundCondition, describeBound } from './bounds.ts'
import type { Resource } from '../declaration/define-resource.ts'
import { fieldLabel } from '../labels/labels.ts'
import { locales } from '../locales.ts'
import { resources } from '../resources/index.ts'

const registry: Readonly<Record<string, Resource>> = resources

const leavesOf = (accessBound: AccessBound): BoundCondition[] =>
  'all' in accessBound
    ? accessBound.all.flatMap(leavesOf)
    : 'any' in accessBound
      ? accessBound.any.flatMap(leavesOf)
      : [accessBound]

const boundedGrants = Object.values(registry).flatMap((resource) =>
  operationNames.flatMap((operation) =>
    roleTypes.flatMap((role) =>
      [false, true].flatMap((isConsultant) => {
        const grant = decideAccess(resource.access, operation, { role, isConsultant })
        return typeof grant === 'object' ? [{ name: `${resource.name} ${operation} ${role}`, resource, grant }] : []
      }),
    ),
  ),
)

describe.each(locales)('bounds in %s', (locale) => {
  const labelsByKey = JSON.parse(readFileSync(new URL(`../labels/${locale}.json`, import.meta.url), 'utf8')) as object
  const hasMessage = (candidates: readonly string[]) => candidates.some((key) => Object.hasOwn(labelsByKey, key))

  it('has a label for every condition of every grant', () => {
    const boundLeaves = boundedGrants.flatMap(({ resource, grant }) =>
      grant.rows ? leavesOf(describeBound(grant.rows, resource, registry)) : [],
    )
    expect(boundLeaves.length).toBeGreaterThan(50)
    // A general label of a condition's shape has placeholders for the field and its value; other labels have
    // none.
    const neededRights = boundLeaves.flatMap(({ candidates, fields, values }) => {
      const ownKey = candidates.find((key) => Object.hasOwn(labelsByKey, key))
      return ownKey === candidates.at(-1) ? [candidates, ...fields, ...values] : [candidates]
    })
    expect(neededRights.filter((candidates) => !hasMessage(candidates))).toEqual([])
  })

  it('has a label for every field that a grant names', () => {
    const system = ['id', 'createdAt', 'updatedAt']
    const fieldLabels = boundedGrants.flatMap(({ resource, grant }) =>
      [...(grant.fields ?? []), ...(grant.card ? (resource.card ?? []) : [])]
        .filter((name) => !system.includes(name))
        .map((name) => fieldLabel(resource, name)),
    )
    expect(fieldLabels.length).toBeGreaterThan(50)
    expect(fieldLabels.filter((candidates) => !hasMessage(candidates))).toEqual([])
  })
})

describe('describeBound', () => {
  const { consultations, lessons, users } = resources
  const shapes = (rows: RowFilter, resource: Resource) =>
    leavesOf(describeBound(rows, resource, registry)).map(({ shape, candidates }) => [shape, candidates[0]])

  it.each<[string, RowFilter, Resource, [string, string][]]>([
    ['the caller', { user: '$caller.id' }, consultations, [['me', 'consultations.bounds.user.me']]],
    ['somebody else', { user: { $ne: '$caller.id' } }, consultations, [['notMe', 'consultations.bounds.user.notMe']]],
    ['nobody', { consultant: { $null: true } }, consultations, [['none', 'consultations.bounds.consultant.none']]],
    ['anybody', { consultant: { $null: false } }, consultations, [['some', 'consultations.bounds.consultant.some']]],
    ['a value', { state: 'visible' }, lessons, [['is', 'lessons.bounds.state.visible']]],
    ['another value', { kind: { $ne: 'multi' } }, lessons, [['isNot', 'lessons.bounds.kind.not.multi']]],
    ['several values', { kind: { $in: ['multi', 'single'] } }, lessons, [['oneOf', 'lessons.bounds.kind.oneOf']]],
    ['a link', { course: { state: 'published' } }, lessons, [['is', 'lessons.bounds.course.state.published']]],
    [
      'roles',
      { role: { type: { $in: '$caller.rolesBelow' } } },
      users,
      [['rolesBelow', 'users.bounds.role.type.rolesBelow']],
    ],
  ])('describes a bound of a grant by %s', (_name, rows, resource, expected) => {
    expect(shapes(rows, resource)).toEqual(expected)
  })

  it('keeps the conditions of a group together in the description of a bound', () => {
    const boundDescription = describeBound(
      { active: true, $or: [{ id: '$caller.id' }, { blocked: false }] },
      users,
      registry,
    )
    expect(
      'all' in boundDescription &&
        boundDescription.all.map((boundPart) => ('any' in boundPart ? boundPart.any.length : 1)),
    ).toEqual([1, 2])
  })

  it.each<[RowFilter, RegExp]>([
    [{ rating: { $gt: 3 } }, /consultations: rating has a condition without a message/],
    [{ rating: { $ne: 3, $null: false } }, /without a message/],
    [{ question: { state: 'x' } }, /leads to no resource/],
  ])('throws for a condition without a label or a target: %j', (rows, message) => {
    expect(() => describeBound(rows, consultations, registry)).toThrow(message)
  })
})
