-- 0039-progress: what learners have watched, opened and marked in lessons, and the courses that they have completed.

-- Rows name the document of a lesson, so that a change of language keeps them. There is no key to lessons: a lesson
-- that was deleted in the draft stays published.
create table lesson_progress (
  user_id integer not null references users (id) on delete cascade,
  lesson_id integer not null,
  -- Id of a part; empty for the lesson itself.
  part varchar(64) not null default '',
  course_id integer not null references courses (id) on delete cascade,
  -- Disjoint intervals in seconds, in ascending order: [[from, to], …].
  watched jsonb not null default '[]',
  watched_s numeric(9,1) not null default 0,
  position_s numeric(9,1) not null default 0,
  locale varchar(3) not null check (locale in ('en', 'ru', 'uz', 'kaa')),
  opened_at timestamptz(3),
  marked_at timestamptz(3),
  completed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (user_id, lesson_id, part)
);
create index lesson_progress_course_id_idx on lesson_progress (course_id, user_id);
create index lesson_progress_lesson_id_idx on lesson_progress (lesson_id, part);

create table course_completions (
  user_id integer not null references users (id) on delete cascade,
  course_id integer not null references courses (id) on delete cascade,
  completed_at timestamptz(3) not null default now(),
  certificate varchar(16) not null,
  primary key (user_id, course_id)
);
create index course_completions_course_id_idx on course_completions (course_id);
create unique index course_completions_certificate_key on course_completions (certificate);
