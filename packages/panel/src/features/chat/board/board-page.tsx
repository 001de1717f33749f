/**
 * The supervisor's board: who is present and how many rooms each has; the rooms of one can be viewed and
 * reassigned.
 */
import type { Screen } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { messageOfFailure } from '../../../api/error-toasts.ts'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import { useT } from '../../../lib/i18n.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { FailureState } from '../../../ui/feedback/failure-state.tsx'
import { PageHead } from '../../../ui/layout/page-head.tsx'
import { Sheet } from '../../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { boardQuery } from './board-data.ts'
import { BoardTable } from './board-table.tsx'
import { OwnedRooms } from './owned-rooms.tsx'

export function BoardPage({ screen }: { screen: Screen }) {
  const t = useT()
  const { data, error, refetch } = useQuery(boardQuery)
  /** Consultant whose rooms the board shows; null for unassigned rooms. */
  const [owner, setOwner] = useState<number | null | undefined>(undefined)
  useDocumentTitle(t('chat.board'))
  return (
    <>
      <PageHead
        title={t('chat.board')}
        text={t('chat.boardAbout')}
        actions={
          <Link to={`/app/${screen.path}`} className={buttonClass('plain')}>
            <ArrowLeft size={16} aria-hidden className="mirrored" />
            {t('chatrooms.many')}
          </Link>
        }
      />
      {data ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <BoardTable board={data} chosen={owner} onChoose={setOwner} />
          {owner === undefined ? null : <OwnedRooms key={owner} screen={screen} owner={owner} board={data.data} />}
        </div>
      ) : error ? (
        <Sheet>
          <FailureState
            title={t('chat.boardFailed')}
            text={messageOfFailure(error)}
            {...(error instanceof ApiError && error.status > 0 ? { status: error.status } : {})}
            onRetry={() => void refetch()}
          />
        </Sheet>
      ) : (
        <DelayedContent>
          <Sheet hasPadding aria-hidden className="grid gap-4">
            {[0, 1, 2, 3, 4].map((row) => (
              <Skeleton key={row} className="h-7 w-full" />
            ))}
          </Sheet>
        </DelayedContent>
      )}
    </>
  )
}
