/** Answered questions that resemble the open one: each can be read, and its answer copied into an empty one. */
import type { Locale, SimilarAnswer } from '@dala/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { callRoute } from '../../api/route.ts'
import { formatDate } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { LoadedPart } from '../../resource/part.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { RichText } from '../../ui/rich-text.tsx'

/** Similar answered questions; an answer may be edited at any time, so they are loaded with the form. */
const similarQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: ['consultations', 'similar', id, locale],
    queryFn: async ({ signal }) =>
      (await callRoute('GET /api/consultations/:id/similar', { params: { id }, query: { locale }, signal })).results,
    meta: { inPlace: true },
  })

export interface SimilarAnswersProps {
  id: number
  /** Whether the answer of the open question is empty; only then another one is copied into it. */
  isEmpty: boolean
  onCopy: (html: string) => void
}

export function SimilarAnswers({ id, isEmpty, onCopy }: SimilarAnswersProps) {
  const t = useT()
  const locale = useLocale()
  const heading = useId()
  const similarAnswers = useQuery(similarQuery(id, locale))
  const [openAnswer, setOpen] = useState<SimilarAnswer | null>(null)
  return (
    <Sheet hasPadding aria-labelledby={heading} className="grid gap-2.5">
      <h2 id={heading} className="text-sm font-semibold">
        {t('consultation.similar')}
      </h2>
      <LoadedPart query={similarAnswers} rows={2}>
        {(answers) =>
          answers.length === 0 ? (
            <p className="text-sm text-muted">{t('consultation.similarNone')}</p>
          ) : (
            <ul className="-mx-2 grid">
              {answers.map((answer) => (
                <li key={answer.id}>
                  <button
                    type="button"
                    aria-haspopup="dialog"
                    onClick={() => setOpen(answer)}
                    className="grid w-full gap-0.5 rounded-1 px-2 py-1.5 text-start hover:bg-hover max-md:py-2.5"
                  >
                    <span dir="auto" className="line-clamp-2 font-medium wrap-anywhere">
                      {answer.question}
                    </span>
                    <AnswerFacts answer={answer} />
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedPart>
      <Dialog
        open={openAnswer !== null}
        onOpenChange={(isOpen) => !isOpen && setOpen(null)}
        title={t('consultation.number', { id: openAnswer?.id ?? 0 })}
        description={t('consultation.similarText')}
        actions={
          <>
            <Button onClick={() => setOpen(null)}>{t('action.close')}</Button>
            <Button
              kind="primary"
              disabled={!isEmpty && t('consultation.copyNotEmpty')}
              onClick={() => {
                if (openAnswer) onCopy(openAnswer.answer)
                setOpen(null)
              }}
            >
              {t('consultation.copy')}
            </Button>
          </>
        }
      >
        {openAnswer ? (
          <div className="grid gap-3">
            <p dir="auto" className="font-medium wrap-anywhere whitespace-pre-wrap">
              {openAnswer.question}
            </p>
            <AnswerFacts answer={openAnswer} />
            <RichText html={openAnswer.answer} lang={undefined} />
          </div>
        ) : null}
      </Dialog>
    </Sheet>
  )
}

function AnswerFacts({ answer: { category, answered_at, is_public } }: { answer: SimilarAnswer }) {
  const t = useT()
  const answerDetails = [category?.name, formatDate(answered_at), is_public ? t('consultation.published') : undefined]
  return <span className="text-xs text-muted">{answerDetails.filter(Boolean).join(' · ')}</span>
}
