/** The form of an answer: rich text with canned replies, and both texts after a conflict. */
import { type Entry, isLocale, resources } from '@dala/model'
import Check from 'lucide-react/icons/check'
import { Suspense, useRef, useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { OpenVariables } from '../../fields/canned/open-variables.tsx'
import { ReplyPicker } from '../../fields/canned/reply-picker.tsx'
import { openVariables, shownTextOf } from '../../fields/canned/text.ts'
import { labelOf } from '../../fields/field-display.tsx'
import type { RichTextHandle } from '../../fields/text/rich-input.tsx'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Field, FieldError } from '../../ui/inputs/field.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { isBlank } from './consultation-permissions.ts'
import { SimilarAnswers } from './similar-answers.tsx'
import { useAnswer } from './use-answer.ts'
import { useReplyVariables } from './use-reply-variables.ts'

const { consultations } = resources
const RichInput = lazyPart(async () => (await import('../../fields/text/rich-input.tsx')).RichInput)

export function AnswerForm({ record, user }: { record: Entry; user: number }) {
  const t = useT()
  const locale = useLocale()
  const obstacle = useObstacle()
  const answer = useAnswer(record, user)
  const [isSubmitted, setSubmitted] = useState(false)
  const lang = isLocale(record.language) ? record.language : undefined
  const { save, conflict, isDirty } = answer
  const isMissingAnswer = isSubmitted && isBlank(answer.text)
  const editor = useRef<RichTextHandle>(null)
  const variables = openVariables(shownTextOf(answer.text))
  const variablesIn = useReplyVariables(record)
  const copy = (html: string) => {
    // The editor takes the focus once the closed dialog has returned it.
    requestAnimationFrame(() => editor.current?.insertRichText(html))
    const undo = { label: t('action.undo'), run: () => editor.current?.undo() }
    showToast({ kind: 'success', title: t('consultation.copied'), action: undo })
  }
  return (
    <>
      <Sheet hasPadding>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            setSubmitted(true)
            if (!isBlank(answer.text) && variables.length === 0) answer.submitAnswer()
          }}
        >
          <ReplyPicker
            language={lang ?? locale}
            variablesIn={variablesIn}
            onPick={(text) => editor.current?.insertText(text)}
          />
          <Field
            label={<span className="text-lg font-semibold">{labelOf(consultations, 'answer')}</span>}
            group
            error={isMissingAnswer ? t('validation.answer') : undefined}
          >
            <Suspense fallback={<Skeleton className="h-44 w-full" />}>
              <RichInput
                field={consultations.fields.answer}
                lang={lang}
                value={answer.text}
                onChange={answer.type}
                onBlur={() => undefined}
                handle={editor}
              />
            </Suspense>
          </Field>
          <OpenVariables variables={variables} onJump={({ source }) => editor.current?.select(source)} />
          {conflict ? (
            <Conflict
              {...conflict}
              lang={lang}
              isBusy={save.isPending}
              onKeep={answer.keepOwnAnswer}
              onTake={answer.takeTheirAnswer}
            />
          ) : save.error ? (
            <div role="alert">
              <FieldError>{messageOfFailure(save.error)}</FieldError>
            </div>
          ) : null}
          <div className="flex flex-wrap items-center gap-2.5">
            <output className="min-w-0 flex-1 text-sm text-muted">
              {obstacle ?? (isDirty ? t('form.unsaved') : null)}
            </output>
            {isDirty ? (
              <Button kind="quiet" disabled={save.isPending && t('form.isSaving')} onClick={answer.discardAnswer}>
                {t('form.discard')}
              </Button>
            ) : null}
            <Button
              kind="primary"
              type="submit"
              isBusy={save.isPending}
              disabled={
                obstacle ??
                (conflict
                  ? t('consultation.conflict')
                  : variables.length > 0
                    ? t('chat.fillFirst')
                    : !isDirty && t('form.nothingChanged'))
              }
              icon={<Check size={17} aria-hidden />}
            >
              {t('consultation.saveAnswer')}
            </Button>
          </div>
        </form>
      </Sheet>
      <SimilarAnswers id={record.id} isEmpty={isBlank(answer.text)} onCopy={copy} />
    </>
  )
}

interface ConflictProps {
  ownText: string
  storedText: string
  lang: string | undefined
  isBusy: boolean
  onKeep: () => void
  onTake: () => void
}

function Conflict({ ownText, storedText, lang, isBusy: isSubmitting, onKeep, onTake }: ConflictProps) {
  const t = useT()
  return (
    <section role="alert" className="grid gap-3 rounded-2 border border-danger-text px-4 py-3.5">
      <FieldError>{t('consultation.conflict')}</FieldError>
      <div className="grid gap-4 md:grid-cols-2">
        <div className="grid content-start gap-2">
          <h3 className="text-sm font-semibold">{t('consultation.mineText')}</h3>
          <div className="max-h-60 overflow-y-auto rounded-2 bg-sunken px-3.5 py-2.5">
            <RichText html={ownText} lang={lang} />
          </div>
          <Button isBusy={isSubmitting} onClick={onKeep} className="justify-self-start">
            {t('consultation.keepMine')}
          </Button>
        </div>
        <div className="grid content-start gap-2">
          <h3 className="text-sm font-semibold">{t('consultation.theirText')}</h3>
          <div className="max-h-60 overflow-y-auto rounded-2 bg-sunken px-3.5 py-2.5">
            <RichText html={storedText} lang={lang} />
          </div>
          <Button disabled={isSubmitting && t('form.isSaving')} onClick={onTake} className="justify-self-start">
            {t('consultation.takeTheirs')}
          </Button>
        </div>
      </div>
    </section>
  )
}
