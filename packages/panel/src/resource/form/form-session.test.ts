import { type Entry, type Locale, type Resource, resources, type WireIssue } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import {
  openSessionConflicts,
  checkPlan,
  chooseValues,
  conflictsOf,
  type FormScope,
  loadRecord,
  openSession,
  planNewRecord,
  planOf,
  refusedFields,
  settleSession,
  submitPlan,
} from './form-session.ts'
import { StepError } from './saving/failure.ts'
import { type FormValues, toFormValues, type TouchedFields, type Values } from './values.ts'

const { tags, tradinposts } = resources

const scopeOf = (resource: Resource, overrides: Partial<FormScope['rights']> = {}): FormScope => ({
  resource,
  rights: {
    mayWrite: true,
    mayCreate: true,
    mayRead: () => true,
    mayWriteField: () => true,
    writableResource: resource,
    stepsOf: () => [],
    ...overrides,
  },
  language: 'en',
})
const scope = scopeOf(tags)

const cotton: Entry = {
  id: 5,
  locale: 'en',
  version: 3,
  name: 'Cotton',
  slug: 'cotton',
  color: null,
  news: [],
  localizations: [{ id: 6, locale: 'uz', version: 7, name: 'Paxta', slug: 'paxta' }],
}
const storedValues = toFormValues(tags, cotton)

/** Values of the tag on the server, with some of them changed. */
const tagWith = (sharedValues: Values, texts: Partial<Record<Locale, Values>> = {}): FormValues => ({
  shared: { ...storedValues.shared, ...sharedValues },
  texts: {
    ...storedValues.texts,
    ...Object.fromEntries(
      Object.entries(texts).map(([locale, values]) => [locale, { ...storedValues.texts[locale as Locale], ...values }]),
    ),
  },
})
const touchFields = (sharedNames: string[], texts: Partial<Record<Locale, string[]>> = {}): TouchedFields => ({
  shared: new Set(sharedNames),
  texts: new Map(Object.entries(texts).map(([locale, names]) => [locale as Locale, new Set(names)])),
})

describe('loading a newer record into a form session', () => {
  const name = { field: 'name', locale: 'en' }
  it.each<[string, FormValues, FormValues, object]>([
    [
      'renews what only the server has changed',
      tagWith({}),
      tagWith({ color: '#ff0000' }),
      { typed: {}, pending: [], mergedFields: [{ field: 'color' }] },
    ],
    [
      'keeps a change that only the user has made',
      tagWith({ color: '#0000ff' }),
      tagWith({}),
      { typed: { color: '#0000ff' }, pending: [], mergedFields: [] },
    ],
    [
      'finds no conflict where both have changed a value alike',
      tagWith({ color: '#ff0000' }),
      tagWith({ color: '#ff0000' }),
      { typed: {}, pending: [], mergedFields: [] },
    ],
    [
      'reports different changes of both as a conflict',
      tagWith({}, { en: { name: 'Cotton plant' } }),
      tagWith({}, { en: { name: 'Cotton wool' } }),
      {
        typed: {},
        texts: { name: 'Cotton plant' },
        pending: [{ ...name, base: 'Cotton', mine: 'Cotton plant', theirs: 'Cotton wool' }],
        mergedFields: [],
      },
    ],
  ])('merges a newer record into a form session: %s', (_title, typedValues, newerValues, expected) => {
    const loadedRecord = loadRecord(openSession(storedValues), tags, newerValues, typedValues)
    expect(loadedRecord.session.base).toBe(newerValues)
    expect({
      typed: loadedRecord.typed.shared,
      pending: loadedRecord.session.pendingConflicts,
      mergedFields: loadedRecord.mergedFields,
      ...(Object.keys(loadedRecord.typed.texts.en ?? {}).length > 0 && { texts: loadedRecord.typed.texts.en }),
    }).toEqual(expected)
  })

  it('merges a draft with the values that the draft was based on', () => {
    const now = tagWith({ color: '#ff0000' })
    const loadedRecord = loadRecord(openSession(now), tags, now, tagWith({ color: '#0000ff' }), storedValues)
    expect([loadedRecord.typed.shared, loadedRecord.session.pendingConflicts]).toMatchObject([
      { color: '#0000ff' },
      [{ field: 'color' }],
    ])
  })

  it('keeps older conflicts of a form session, each field once', () => {
    const typedValues = tagWith({ color: '#0000ff' }, { en: { name: 'Mine' } })
    const reloadedSession = loadRecord(
      openSession(storedValues),
      tags,
      tagWith({ color: '#ff0000' }),
      typedValues,
    ).session
    const reloadedBoth = loadRecord(
      reloadedSession,
      tags,
      tagWith({ color: '#ff0000' }, { en: { name: 'Theirs' } }),
      typedValues,
    ).session
    const remergedRecord = loadRecord(
      reloadedBoth,
      tags,
      tagWith({ color: '#00ff00' }, { en: { name: 'Theirs' } }),
      typedValues,
    ).session
    expect(
      [reloadedBoth, remergedRecord].map(({ pendingConflicts: unsettledConflicts }) =>
        unsettledConflicts.map(({ field }) => field).toSorted(),
      ),
    ).toEqual([
      ['color', 'name'],
      ['color', 'name'],
    ])
  })
})

describe('conflicts of a form session', () => {
  const ownValues = tagWith({ color: '#0000ff' })
  const conflictingSession = loadRecord(
    openSession(storedValues),
    tags,
    tagWith({ color: '#ff0000' }),
    ownValues,
  ).session

  it('shows the current typed value in a conflict, and ends the conflict when both sides agree', () => {
    expect(conflictsOf(conflictingSession, ownValues)).toEqual([
      { field: 'color', base: '', mine: '#0000ff', theirs: '#ff0000' },
    ])
    expect(conflictsOf(conflictingSession, tagWith({ color: '#00ff00' }))).toMatchObject([{ mine: '#00ff00' }])
    expect(conflictsOf(conflictingSession, tagWith({ color: '#ff0000' }))).toEqual([])
  })

  it.each([
    ['mine', '#0000ff'],
    ['theirs', '#ff0000'],
  ] as const)('ends a conflict when the user chooses the value of %s', (chosenSide, color) => {
    const sessionWithConflict = openSessionConflicts(conflictingSession, conflictsOf(conflictingSession, ownValues))
    const { session, typed } = chooseValues(sessionWithConflict, ownValues, { color: chosenSide })
    expect(typed.shared['color']).toBe(color)
    expect(session).toEqual({ base: conflictingSession.base, pendingConflicts: [], openConflicts: [] })
  })

  it('ends conflicts with a save, after which typing starts from the saved values', () => {
    expect(settleSession(conflictingSession, ownValues)).toEqual({
      base: ownValues,
      pendingConflicts: [],
      openConflicts: [],
    })
  })
})

describe('the plan of a save', () => {
  it.each<[string, Entry | null, FormValues, TouchedFields, object]>([
    ['has no steps when nothing was changed', cotton, storedValues, touchFields([]), []],
    [
      'updates each language with its own version, the visible one last',
      cotton,
      tagWith({ color: '#ff0000' }, { uz: { name: 'Gʻoʻza' } }),
      touchFields(['color'], { uz: ['name'] }),
      [
        { kind: 'update', locale: 'uz', id: 6, draft: { name: 'Gʻoʻza', version: 7 } },
        { kind: 'update', locale: 'en', id: 5, draft: { color: '#ff0000', version: 3 } },
      ],
    ],
    [
      'creates a new record',
      null,
      tagWith({}, { en: { name: 'Rice' }, uz: { name: '', slug: '' } }),
      touchFields([], { en: ['name'] }),
      [{ kind: 'create', locale: 'en', draft: { name: 'Rice', locale: 'en' } }],
    ],
  ])('plans the calls of a save: %s', (_title, record, values, changedFields, steps) => {
    const plan = planOf(scope, record, { values, touchedFields: changedFields }, {})
    expect(plan).toMatchObject({ record, touchedFields: changedFields, language: 'en', values })
    expect(plan.steps).toMatchObject(steps)
    expect(plan.steps).toHaveLength(Object.keys(steps).length)
  })

  it('copies the values into a plan, so that further typing does not change the plan', () => {
    const values = tagWith({ color: '#ff0000' })
    const plan = planOf(scope, cotton, { values, touchedFields: touchFields(['color']) }, {})
    values.shared['color'] = '#0000ff'
    expect(plan.values.shared['color']).toBe('#ff0000')
  })

  it('plans a save in the language of a create that was sent before', () => {
    const attempts = { record: { key: 'a', draft: { locale: 'uz' }, at: 0 } }
    const typedForm = { values: storedValues, touchedFields: touchFields([], { uz: ['name'] }) }
    expect([
      planOf(scope, null, typedForm, attempts).language,
      planOf(scope, cotton, typedForm, attempts).language,
    ]).toEqual(['uz', 'en'])
  })

  it('plans a new record with all the values of a deleted record', () => {
    const plan = planNewRecord(scope, storedValues)
    expect(plan).toMatchObject({
      record: null,
      steps: [
        { kind: 'create', locale: 'en', draft: { name: 'Cotton', slug: 'cotton' } },
        { kind: 'translate', locale: 'uz', draft: { name: 'Paxta' } },
      ],
    })
  })
})

describe('the check of a plan', () => {
  const post: Entry = { id: 2, locale: 'en', version: 1, status: 'on_hold', title: 'Rice' }
  const steps = [{ from: 'on_hold', to: 'rejected', by: ['admin' as const], reason: true as const }]
  const moderationScope = scopeOf(tradinposts, { stepsOf: (name) => (name === 'status' ? steps : []) })
  const makePlan = (sharedValues: Values) =>
    planOf(
      moderationScope,
      post,
      { values: { shared: sharedValues, texts: {} }, touchedFields: touchFields(['status']) },
      {},
    )

  it('requires a reason for a transition that needs one, and sends a former reason with it', () => {
    expect(checkPlan(moderationScope, makePlan({ status: 'rejected', reason: ' ' }))).toContainEqual({
      name: 'shared.reason',
      code: 'state.reason',
      params: {},
    })
    const planWithReason = makePlan({ status: 'rejected', reason: 'Spam' })
    expect(checkPlan(moderationScope, planWithReason)).toEqual([])
    expect(planWithReason.steps).toMatchObject([{ draft: { status: 'rejected', reason: 'Spam' } }])
  })
})

describe('submitting a plan', () => {
  const ownValues = tagWith({ color: '#0000ff' })
  const conflictingSession = loadRecord(
    openSession(storedValues),
    tags,
    tagWith({ color: '#ff0000' }),
    ownValues,
  ).session
  const namelessTag = tagWith({}, { en: { name: '' } })
  it.each([
    ['sends a correct plan', openSession(storedValues), ownValues, touchFields(['color']), { kind: 'send' }],
    [
      'asks about open conflicts first',
      conflictingSession,
      ownValues,
      touchFields(['color']),
      { kind: 'conflict', conflicts: [{ field: 'color', mine: '#0000ff', theirs: '#ff0000' }] },
    ],
    [
      'shows wrong fields before conflicts',
      conflictingSession,
      namelessTag,
      touchFields([], { en: ['name'] }),
      { kind: 'wrong', issues: [{ name: 'texts.en.name', code: 'validation.name' }] },
    ],
  ])('sends the requests that a save of a form needs: %s', (_title, session, values, changedFields, expected) => {
    const plan = planOf(scope, cotton, { values, touchedFields: changedFields }, {})
    const submission = submitPlan(session, scope, plan)
    expect(submission).toMatchObject(expected)
    // The form sends the plan of requests that it has checked, unchanged.
    expect('plan' in submission ? submission.plan : plan).toBe(plan)
  })
})

describe('the fields that the server refused', () => {
  const issue: WireIssue = {
    path: ['name'],
    name: 'ValidationError',
    code: 'validation.unique',
    message: 'Taken',
    params: {},
  }
  const refusal = new ApiError(400, {
    status: 400,
    name: 'ValidationError',
    message: '',
    details: { errors: [issue] },
  })
  it('names refused fields in the language of the failed call', () => {
    const step = { kind: 'translate', locale: 'uz', draft: {} } as const
    expect(refusedFields(tags, new StepError(step, refusal))).toMatchObject([
      { name: 'texts.uz.name', code: 'validation.unique', message: 'Taken' },
    ])
  })
  it.each([
    ['no answer', new TypeError('Failed to fetch')],
    ['a refusal outside of a call', refusal],
  ])('returns no refused fields for %s', (_what, error) => expect(refusedFields(tags, error)).toEqual([]))
})
