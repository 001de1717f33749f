/** The home page of a user: pending work, the week, and recent changes, each with a link to the work. */
import { type HomeAnswer, type HomeScope, homeScopes, homeScopesOf } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { messageOfError } from '../../api/error-toasts.ts'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { SegmentedControl } from '../../ui/inputs/segmented.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { ChangesSheet } from './changes-sheet.tsx'
import { headText } from './home-text.ts'
import { useHome } from './use-home.ts'
import { WeekSheet } from './week-sheet.tsx'
import { type RowDialogs, WorkList } from './work-list.tsx'

const gridClass = 'grid items-start gap-5 max-md:gap-3.5 min-[1200px]:grid-cols-[minmax(0,1fr)_328px]'

/**
 * Home page of the panel.
 *
 * @param dialogs - Dialogs of other features, for actions that need a choice.
 */
export function HomePage({ dialogs }: { dialogs: RowDialogs }) {
  const t = useT()
  const locale = useLocale()
  const now = useNow()
  const navigate = useNavigate()
  const search: { scope?: unknown; putOff?: unknown } = useSearch({ strict: false })
  const { data: me } = useQuery(meQuery)
  const requestedScope = homeScopes.find((knownScope) => knownScope === search.scope)
  const scopes = me ? homeScopesOf(callerRoleOf(me)) : []
  // An address shared by another user may ask for a scope that this user does not have.
  const scope = requestedScope && scopes.includes(requestedScope) ? requestedScope : undefined
  const showsOnlyPutOff = search.putOff === 'yes'
  const home = useHome({ scope, locale, showsOnlyPutOff })
  const { answer, error } = home
  const data = answer?.data
  const isMine = (scope ?? scopes[0]) === 'mine'
  const title = t(isMine ? 'home.titleMine' : 'home.title')
  useDocumentTitle(t('app.home'))
  const setSearch = (newSearch: { scope?: HomeScope | undefined; putOff?: 'yes' }) =>
    void navigate({
      to: '.',
      search: {
        ...(newSearch.scope && newSearch.scope !== scopes[0] && { scope: newSearch.scope }),
        ...(newSearch.putOff && { putOff: 'yes' }),
      },
      replace: true,
      resetScroll: false,
    })
  if (me && scopes.length === 0 && data) return <EmptyHome />
  const total = data?.totals[data.scope]
  return (
    <>
      <PageHead
        title={title}
        total={total === undefined ? undefined : formatNumber(locale, total)}
        text={
          answer && data ? (
            <span className="flex flex-wrap items-baseline gap-x-3">
              <span>{headText(t, answer, now)}</span>
              {data.putOff > 0 || showsOnlyPutOff ? (
                <LinkButton onClick={() => setSearch({ scope, ...(!showsOnlyPutOff && { putOff: 'yes' as const }) })}>
                  {showsOnlyPutOff ? t('home.putOff.hide') : t('home.putOff.show', { count: data.putOff })}
                </LinkButton>
              ) : null}
              {home.newCount === undefined ? null : (
                <LinkButton onClick={home.showNewRows}>
                  {home.newCount > 0 ? t('home.fresh', { count: home.newCount }) : t('home.changed')}
                </LinkButton>
              )}
              <output className="sr-only">{home.newCount ? t('home.fresh', { count: home.newCount }) : ''}</output>
            </span>
          ) : undefined
        }
        actions={
          scopes.length > 1 ? (
            <SegmentedControl
              label={t('home.scope')}
              value={scope ?? scopes[0] ?? 'team'}
              onValueChange={(newScope) => setSearch({ scope: newScope })}
              segments={scopes.map((shownScope) => {
                const count = data?.totals[shownScope]
                return {
                  value: shownScope,
                  label: t(`home.scope.${shownScope}`),
                  ...(count !== undefined && { count: formatNumber(locale, count) }),
                }
              })}
              className="max-md:w-[calc(100dvw-32px)]"
            />
          ) : undefined
        }
      />
      {error ? (
        <Sheet>
          <FailureState
            title={t('home.failed')}
            text={error instanceof ApiError && error.status > 0 ? messageOfError(error) : t('error.network.message')}
            {...(error instanceof ApiError && error.status > 0 ? { status: error.status } : {})}
            onRetry={() => void home.refreshHome()}
          />
        </Sheet>
      ) : !answer || !me ? (
        <HomeSkeleton />
      ) : (
        <div className={gridClass}>
          {answer.data.groups.length > 0 ? (
            <WorkList answer={answer} me={me} now={now} refreshHome={home.refreshHome} dialogs={dialogs} />
          ) : (
            <EmptyWorkList answer={answer} onlyPutOff={showsOnlyPutOff} />
          )}
          <aside className="grid gap-4 max-md:gap-3.5" aria-label={t('home.aside')}>
            {answer.data.week ? <WeekSheet week={answer.data.week} today={answer.meta.date} /> : null}
            {answer.data.changes ? <ChangesSheet changes={answer.data.changes} me={me} now={now} /> : null}
          </aside>
        </div>
      )}
    </>
  )
}

/** Skeleton of the home page: five groups of two rows, and the two sheets beside them. */
function HomeSkeleton() {
  return (
    <DelayedContent>
      <div className={gridClass}>
        <Sheet isStrip>
          {[0, 1, 2, 3, 4].map((group) => (
            <div key={group}>
              <div className="flex h-[34px] items-center border-b border-line bg-sunken px-4">
                <Skeleton className="ms-11 h-3.5 w-48" />
              </div>
              {[0, 1].map((row) => (
                <div key={row} className="flex h-11 items-center gap-3 border-b border-line px-4">
                  <Skeleton className="size-7" />
                  <Skeleton className="h-3.5 flex-1" />
                  <Skeleton className="h-3.5 w-24" />
                </div>
              ))}
            </div>
          ))}
        </Sheet>
        <div className="grid gap-4">
          <Sheet hasPadding>
            <Skeleton className="h-28 w-full" />
          </Sheet>
          <Sheet hasPadding>
            <Skeleton className="h-60 w-full" />
          </Sheet>
        </div>
      </div>
    </DelayedContent>
  )
}

/** Text of the home page when no work is pending: what comes next. */
function EmptyWorkList({ answer, onlyPutOff }: { answer: HomeAnswer; onlyPutOff: boolean }) {
  const t = useT()
  const [nextPost] = answer.data.week?.unpublished ?? []
  if (onlyPutOff)
    return (
      <Sheet isStrip>
        <EmptyState title={t('home.putOff.none')} text={t('home.putOff.about')} />
      </Sheet>
    )
  return (
    <Sheet isStrip>
      <EmptyState
        title={t('home.empty.title')}
        text={nextPost ? t('home.empty.next', { date: formatDate(nextPost.date) }) : t('home.empty.text')}
        action={
          nextPost ? (
            <Link
              to={nextPost.pricedate === null ? '/app/price-list' : `/app/price-list/${nextPost.pricedate}`}
              className={buttonClass('primary')}
            >
              {t('home.action.openDay')}
            </Link>
          ) : undefined
        }
      />
    </Sheet>
  )
}

/** Text that explains the home page to a role without groups of work. */
function EmptyHome() {
  const t = useT()
  return (
    <Sheet isStrip className="mt-6">
      <EmptyState
        isWholePage
        title={t('home.none.title')}
        text={t('home.none.text')}
        action={
          <Link to="/app/consultants" className={buttonClass('plain')}>
            {t('home.none.action')}
          </Link>
        }
      />
    </Sheet>
  )
}
