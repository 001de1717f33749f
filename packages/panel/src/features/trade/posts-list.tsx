/** The list of trading posts: price, place and waiting time in their columns, decisions in the menu of a row. */
import { type Entry, resources, screensOf } from '@dala/model'
import { Link } from '@tanstack/react-router'
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left'
import { seenAddress } from '../../resource/screen-address.ts'
import type { CellProps, FormParts, ListParts } from '../../resource/screen-parts.ts'
import type { MenuParts } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.ts'
import { wordsOfFailure } from '../../api/error-toasts.ts'
import { t } from '../../lib/i18n.ts'
import { PostAge, PostPlace, PostPrice } from './post-parts.tsx'
import { useDecide, useSteps, wordsOfStep } from './post-steps.ts'

const [screen] = screensOf(resources.tradinposts)

/** Steps that need no reason are taken here; the others on the post's page, where the reason is asked for. */
function StepItems({ entry, parts: { Item } }: { entry: Entry; parts: MenuParts }) {
  const decide = useDecide(entry)
  const steps = useSteps(entry)
  const icon = <ArrowRightLeft size={16} aria-hidden />
  return steps.map((step) => {
    const address = screen && seenAddress(screen, entry.id)
    return step.reason && address ? (
      <Item key={step.to} icon={icon} render={<Link to={address.to} search={{ ...address.search, decide: step.to }} />}>
        {wordsOfStep(step)}
      </Item>
    ) : (
      <Item
        key={step.to}
        icon={icon}
        onClick={() =>
          // The menu is gone when the answer comes.
          void decide.mutateAsync({ status: step.to }).catch((error: unknown) => {
            if (error instanceof Error)
              showToast({ kind: 'error', title: t('error.422.title'), text: wordsOfFailure(error) })
          })
        }
      >
        {wordsOfStep(step)}
      </Item>
    )
  })
}

export const postsList: ListParts = {
  cells: {
    price: ({ entry }: CellProps) => <PostPrice post={entry} />,
    region: ({ entry }: CellProps) => <PostPlace post={entry} />,
    createdAt: ({ entry }: CellProps) => <PostAge post={entry} />,
  },
  rowItems: (entry, parts) => <StepItems entry={entry} parts={parts} />,
}

/** Decisions are taken on the post's page, each with what it needs; the form is for what the post says. */
export const postForm: FormParts = { without: ['status', 'reason', 'public_note'] }
