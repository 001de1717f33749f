/** The list of trading posts: price, location and waiting time as columns, decisions in the menu of a row. */
import { type Entry, rankOfRole, resources, screensOf } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left'
import ListChecks from 'lucide-react/icons/list-checks'
import { callerRoleOf, meQuery } from '../../api/session.ts'
import { recordAddress } from '../../resource/screen-address.ts'
import type { CellProps, FormSlots, ListSlots } from '../../resource/screen-parts.ts'
import type { MenuParts } from '../../ui/overlays/menu.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { t, useLocale, useT } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { PostFigure } from './post-figure.tsx'
import { PostAge, PostPlace, PostPrice } from './post-parts.tsx'
import { DecideSelected } from './decide-selected.tsx'
import { useDecide, useSteps, stepLabel } from './post-steps.ts'
import { queueQuery, readQueueSearch } from './review/review-data.ts'

const [screen] = screensOf(resources.tradinposts)

/**
 * Steps of a post without a reason are taken in the list; the others on the post's page, which asks for the
 * reason.
 */
function StepItems({ entry, menu: { Item } }: { entry: Entry; menu: MenuParts }) {
  const decidePost = useDecide(entry)
  const steps = useSteps(entry)
  const icon = <ArrowRightLeft size={16} aria-hidden />
  return steps.map((step) => {
    const address = screen && recordAddress(screen, entry.id)
    return step.reason && address ? (
      <Item key={step.to} icon={icon} render={<Link to={address.to} search={{ ...address.search, decide: step.to }} />}>
        {stepLabel(step)}
      </Item>
    ) : (
      <Item
        key={step.to}
        icon={icon}
        onClick={() =>
          // A toast shows a refused decision, because the menu of the post is closed by then.
          void decidePost.mutateAsync({ status: step.to }).catch((error: unknown) => {
            if (error instanceof Error)
              showToast({ kind: 'error', title: t('error.422.title'), text: messageOfFailure(error) })
          })
        }
      >
        {stepLabel(step)}
      </Item>
    )
  })
}

/** Link to the review queue for moderators, at the post that has waited longest. */
function ReviewLink() {
  const t = useT()
  const locale = useLocale()
  const { data: me } = useQuery(meQuery)
  const isModerator = me !== undefined && rankOfRole(callerRoleOf(me).role) >= rankOfRole('admin')
  const { data } = useQuery({ ...queueQuery(readQueueSearch({}), locale), enabled: isModerator })
  const [firstPost] = data?.entries ?? []
  if (!screen || !firstPost) return null
  return (
    <Link {...recordAddress(screen, firstPost.id)} className={buttonClass('plain')}>
      <ListChecks size={16} aria-hidden />
      <span data-word="">{t('moderation.review', { count: data?.total ?? 0 })}</span>
    </Link>
  )
}

export const postsList: ListSlots = {
  Actions: ReviewLink,
  Figure: ({ entry, size }) => <PostFigure post={entry} size={size} />,
  Selected: DecideSelected,
  cells: {
    price: ({ entry }: CellProps) => <PostPrice post={entry} />,
    region: ({ entry }: CellProps) => <PostPlace post={entry} />,
    createdAt: ({ entry }: CellProps) => <PostAge post={entry} />,
  },
  rowItems: (entry, menu) => <StepItems entry={entry} menu={menu} />,
}

/**
 * Decisions are taken on the post's page, with the fields each needs; the form edits the content of the post.
 */
export const postForm: FormSlots = { hiddenFields: ['status', 'reason', 'public_note', 'staff_note'] }
