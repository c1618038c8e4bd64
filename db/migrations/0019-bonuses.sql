-- Bonuses that members have activated. Those that they could activate follow from the program's configuration.
create table member_bonuses (
  id bigint generated always as identity primary key,
  partner_id text not null,
  public_id text not null unique,
  member_id bigint not null,
  code text not null,
  status text not null check (status in ('Enrolled', 'Qualified')),
  -- The terms as they were when it was activated: what the program changes later changes nothing.
  terms jsonb not null,
  -- When it could first be activated.
  offered_at timestamptz not null,
  enrolled_at timestamptz not null,
  qualified_at timestamptz,
  foreign key (partner_id, member_id) references members (partner_id, id),
  unique (partner_id, member_id, code)
);
call build_wall('member_bonuses');
grant select, insert, update on member_bonuses to dineback_app;
