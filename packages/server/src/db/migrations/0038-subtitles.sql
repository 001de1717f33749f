-- 0038-subtitles: the address of a lesson's subtitles in each language.

alter table "lessons_texts" add column "subtitles" varchar(255);
alter table "published_lessons_texts" add column "subtitles" varchar(255);
