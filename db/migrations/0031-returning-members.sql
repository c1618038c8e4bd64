-- Whether somebody has been a member here before, and whether a card has earned in another account: a bonus for new
-- members is for people and cards that are new.
alter table members add column has_returned boolean not null default false;
alter table cards add column linked_before boolean not null default false;

-- Keyed hashes of what deleted accounts were known by (address, member number, cards), of those that had earned. They
-- name no member, and are deleted after two years.
create table returning_marks (
  partner_id text not null references partners,
  mark bytea not null check (octet_length(mark) = 32),
  marked_at timestamptz not null default now(),
  primary key (partner_id, mark)
);
create index returning_marks_by_age on returning_marks (partner_id, marked_at);
call build_wall('returning_marks');
grant select, insert, update, delete on returning_marks to dineback_app;

-- Cards are looked for in every account that has had them.
create index cards_by_fingerprint on cards (partner_id, fingerprint);
