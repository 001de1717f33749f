import { type Entry, isLocale, type Locale, resources } from '@dala/model'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { planSave, touchedFieldsOf } from './plan.ts'
import { familyOf, type FormValues, toFormValues } from '../values.ts'
import { type Conflict, decideConflicts, isSame, keyOfPlace, mergeValues } from './merge.ts'

const { news } = resources

/**
 * A news item on a server with real version checks: a shared change raises the version of every language, a
 * text only its own.
 */
class Server {
  record: Entry = {
    id: 1,
    locale: 'ru',
    version: 1,
    title: 'ru 0',
    description: '',
    content: '',
    link: '',
    kind: 'news',
    tags: [],
    localizations: [{ id: 2, locale: 'uz', version: 1, title: 'uz 0', description: '', content: '' }],
  }
  members = (): Entry[] => [this.record, ...(this.record.localizations as Entry[])]
  read = (): Entry => structuredClone(this.record)
  /** Saves the draft of an editor. Returns false when its version is not the latest one. */
  put(
    id: number,
    { version, ...draft }: Record<string, unknown>,
    onWrite: (formerRecord: unknown, writtenRecord: unknown) => void,
  ) {
    const member = this.members().find((candidate) => candidate.id === id)
    if (!member || member.version !== version) return false
    for (const [name, newValue] of Object.entries(draft)) {
      const isText = news.fields[name as 'title'].localized
      const target = isText ? member : this.record
      onWrite(target[name], newValue)
      target[name] = newValue
      for (const movedField of isText ? [member] : this.members()) movedField.version = Number(movedField.version) + 1
    }
    return true
  }
}

/** Simulated editor with an open form: types, and saves as the form does. */
class Editor {
  base: FormValues
  mine: FormValues
  record: Entry
  /** Texts of the record that this editor has seen. */
  seen = new Set<unknown>()
  readonly server: Server
  readonly choose: () => 'mine' | 'theirs'
  constructor(server: Server, choose: () => 'mine' | 'theirs') {
    this.server = server
    this.choose = choose
    this.record = server.read()
    this.base = toFormValues(news, this.record)
    this.mine = structuredClone(this.base)
    this.showValues(this.base)
  }
  showValues({ shared, texts }: FormValues) {
    for (const text of [shared, ...Object.values(texts)].flatMap((fieldValues) => Object.values(fieldValues)))
      this.seen.add(text)
  }
  type(field: string, locale: Locale | undefined, text: string) {
    const ownFields = locale ? (this.mine.texts[locale] ??= {}) : this.mine.shared
    ownFields[field] = text
    this.seen.add(text)
  }
  /** Saves the form of this editor. Returns the texts that were overwritten unseen. */
  save(language: Locale): string[] {
    const lostTexts: string[] = []
    for (let round = 0; round < 9; round += 1) {
      const marks = (typedFields: object, baseFields: object) =>
        Object.fromEntries(
          Object.entries(typedFields).map(([name, now]) => [name, !isSame(now, baseFields[name as never])]),
        )
      const texts = Object.entries(this.mine.texts).flatMap(([locale, languageFields]) =>
        isLocale(locale) ? [[locale, marks(languageFields, this.base.texts[locale] ?? {})] as const] : [],
      )
      const touchedFields = touchedFieldsOf({
        shared: marks(this.mine.shared, this.base.shared),
        texts: Object.fromEntries(texts),
      })
      const steps = planSave(news, this.mine, touchedFields, familyOf(news, this.record), language, this.record)
      const isSaved = steps.every(
        (step) =>
          step.kind === 'update' &&
          this.server.put(step.id, step.draft, (formerText) => {
            if (typeof formerText === 'string' && formerText !== '' && !this.seen.has(formerText))
              lostTexts.push(formerText)
          }),
      )
      this.record = this.server.read()
      const serverValues = toFormValues(news, this.record)
      if (isSaved) {
        this.base = serverValues
        this.mine = structuredClone(serverValues)
        this.showValues(serverValues)
        return lostTexts
      }
      const mergeResult = mergeValues(news, this.base, this.mine, serverValues)
      const chosenSides: Record<string, 'mine' | 'theirs'> = {}
      for (const conflict of mergeResult.conflicts) {
        this.show(conflict)
        chosenSides[keyOfPlace(conflict)] = this.choose()
      }
      // The editor sees the texts that the merge took from the other editor without a question.
      this.showValues(mergeResult.values)
      this.mine = decideConflicts(mergeResult.values, mergeResult.conflicts, chosenSides)
      this.base = serverValues
    }
    throw new Error('A save must come to its end')
  }
  show({ mine, theirs }: Conflict) {
    this.seen.add(mine)
    this.seen.add(theirs)
  }
}

const anyField = fc.constantFrom(
  ...([
    ['title', 'ru'],
    ['title', 'uz'],
    ['description', 'ru'],
    ['description', 'uz'],
    ['link', undefined],
  ] as const),
)
const step = fc.record({
  who: fc.nat(1),
  place: anyField,
  isSaving: fc.boolean(),
  language: fc.constantFrom<Locale>('ru', 'uz'),
})

/**
 * Lost texts: typed texts that are not on the server after a last save, and were not given up with both texts
 * visible.
 */
function findLostTexts(editor: Editor): unknown[] {
  const [typedValues, formerBase, seenTexts] = [
    structuredClone(editor.mine),
    structuredClone(editor.base),
    new Set(editor.seen),
  ]
  editor.save('ru')
  return (['ru', 'uz'] as const).flatMap((locale) =>
    Object.entries(typedValues.texts[locale] ?? {}).filter(([name, text]) => {
      const storedText = editor.base.texts[locale]?.[name]
      const isTyped = !isSame(text, formerBase.texts[locale]?.[name])
      return isTyped && !isSame(storedText, text) && !(editor.seen.has(storedText) && seenTexts.has(text))
    }),
  )
}

it('loses no text in any order of typing and saving, in two languages of one record', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.array(fc.boolean(), { minLength: 1 }), (steps, choices) => {
      const server = new Server()
      let count = 0
      const choose = () => (choices[count % choices.length] ? 'mine' : 'theirs')
      const editors = [new Editor(server, choose), new Editor(server, choose)] as const
      const overwrittenTexts: unknown[] = []
      for (const {
        who,
        place: [field, locale],
        isSaving: saves,
        language,
      } of steps) {
        const editor = editors[who === 0 ? 0 : 1]
        count += 1
        if (saves) overwrittenTexts.push(...editor.save(language))
        else editor.type(field, locale, `${locale ?? 'shared'} ${count}`)
      }
      expect([...overwrittenTexts, ...editors.flatMap(findLostTexts)]).toEqual([])
    }),
    { numRuns: 200 },
  )
})
