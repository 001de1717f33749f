import { describe, expect, it } from 'vitest'
import { conditionsOf, segmentGroups, segmentOf } from './segments.ts'
import { isBlank, consultationPermissions } from './consultation-permissions.ts'

describe('segments of consultations', () => {
  it.each([
    ['all', {}],
    ['finished', { finished_at: { $notNull: true } }],
    ['completed', { finished_at: { $notNull: true } }],
    ['unfinished', { finished_at: { $null: true } }],
    ['replayed', { answered_at: { $notNull: true } }],
    ['answered', { answered_at: { $notNull: true } }],
    ['unreplayed', { answered_at: { $null: true } }],
    ['notAnswered', { answered_at: { $null: true } }],
    ['free', { consultant: { $null: true }, finished_at: { $null: true } }],
    ['overdue', { overdue: true }],
    ['mine', { consultant: 4, finished_at: { $null: true } }],
    ['anything', {}],
  ])('maps the segment %s of consultations to its conditions', (show, conditions) => {
    expect(conditionsOf({ show }, 4)).toEqual(conditions)
  })
  it('offers the open cases of the desk to consultants and staff only', () => {
    const listOfferedSegments = (isDesk: boolean) =>
      segmentGroups(isDesk).flatMap(({ segments }): readonly string[] => segments)
    expect(listOfferedSegments(true)).toEqual([...listOfferedSegments(false), 'mine', 'free', 'overdue'])
  })
  it('defaults to all consultations without a parameter in the address', () => expect(segmentOf({})).toBe('all'))
})

describe('consultationPermissions', () => {
  const now = new Date('2026-03-20T00:00:00.000Z')
  const consultant = { id: 4, role: 'authenticated', isConsultant: true } as const
  const grower = { id: 5, role: 'authenticated', isConsultant: false } as const
  const admin = { id: 2, role: 'admin', isConsultant: false } as const
  const freeQuestion = { id: 1, status: 'new', consultant: null, user: { id: 5 } }
  const ownQuestion = { ...freeQuestion, status: 'assigned', consultant: { id: 4 } }
  const colleagueQuestion = { ...freeQuestion, status: 'assigned', consultant: { id: 6 } }
  const finishedQuestion = { ...ownQuestion, status: 'finished', finished_at: '2026-03-01T00:00:00.000Z' }
  it.each([
    ['lets a consultant take a free question', freeQuestion, consultant, ['mayTake'], 'free'],
    [
      'lets a consultant answer and finish their own question',
      ownQuestion,
      consultant,
      ['mayAnswer', 'mayFinish'],
      undefined,
    ],
    ['locks the question of another consultant', colleagueQuestion, consultant, [], 'other'],
    ['locks a finished question for its consultant', finishedQuestion, consultant, [], 'finished'],
    [
      'lets staff answer, assign and finish any question',
      colleagueQuestion,
      admin,
      ['mayAnswer', 'mayAssign', 'mayFinish'],
      undefined,
    ],
    ['lets staff reopen a finished question', finishedQuestion, admin, ['mayReopen'], 'finished'],
    ['lets the customer finish their own question', freeQuestion, grower, ['mayFinish'], 'free'],
    ['locks a finished question for the customer after 14 days', finishedQuestion, grower, [], 'finished'],
  ])('computes the permissions of a consultation: %s', (_name, record, reader, expected, lock) => {
    const permissions = consultationPermissions(record, reader, now)
    const rights = (['mayTake', 'mayAnswer', 'mayAssign', 'mayFinish', 'mayReopen'] as const).filter(
      (name) => permissions[name],
    )
    expect(rights).toEqual(expected)
    expect(permissions.lock).toBe(lock)
  })
  it('lets the customer reopen a consultation within 14 days', () => {
    expect(
      consultationPermissions({ ...finishedQuestion, finished_at: '2026-03-10T00:00:00.000Z' }, grower, now).mayReopen,
    ).toBe(true)
  })
})

it.each([
  ['', true],
  [null, true],
  ['<p> </p><p>&nbsp;</p>', true],
  ['<p>a</p>', false],
  ['<p><img src="/a.png"></p>', false],
])('finds that isBlank(%s) is %s', (html, isBlankHtml) => expect(isBlank(html)).toBe(isBlankHtml))
