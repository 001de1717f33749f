import { describe, expect, it } from 'vitest'
import { resources } from '../resources/index.ts'
import { transitionsFor } from './rules.ts'

const { transitions } = resources.tradinposts.fields.status
const [asker, author] = [1, 2]
const targets = (fromState: string, role: 'admin' | 'authenticated', isAuthor: boolean) =>
  transitionsFor(transitions, fromState, { id: isAuthor ? author : asker, role }, (link) =>
    link === 'user' ? author : asker,
  ).map(({ to }) => to)

describe('transitionsFor a trading post', () => {
  it.each([
    ['on_hold', 'admin', false, ['processed', 'needs_changes', 'rejected']],
    ['on_hold', 'authenticated', true, []],
    ['rejected', 'authenticated', true, ['on_hold']],
    ['rejected', 'admin', false, []],
    ['processed', 'authenticated', true, ['archived']],
    ['processed', 'authenticated', false, []],
    ['processed', 'admin', false, ['on_hold', 'archived']],
    ['archived', 'admin', true, []],
  ] as const)('offers from the state %s, for the role %s, own post %s: %j', (fromState, role, isAuthor, expected) => {
    expect(targets(fromState, role, isAuthor)).toEqual(expected)
  })
})
