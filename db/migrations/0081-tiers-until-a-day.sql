-- A tier that an operator gives a member until a day. What the member has earned stays in `members.tier_level` and the VIP
-- dates; the higher one of both counts. Rows stay: a meal that the network reports later earns at the tier of its own day.
create table tier_grants (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  member_id bigint not null,
  tier_level text not null check (tier_level in ('OptedIn', 'VIP')),
  given_at timestamptz not null,
  given_by text not null,
  -- In the calendar of a meal's restaurant; for everything else in that of the program.
  last_day date not null,
  -- When an operator ended it before its last day.
  ended_at timestamptz,
  ended_by text,
  foreign key (partner_id, member_id) references members (partner_id, id),
  check ((ended_at is null) = (ended_by is null))
);
create index tier_grants_by_member on tier_grants (member_id, id);
call enable_tenant_isolation('tier_grants');
grant select, insert, update on tier_grants to dineback_app;
