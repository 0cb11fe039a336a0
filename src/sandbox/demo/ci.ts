/** The demonstration's workflow. Its log has a group, colours, annotations and a sequence that wants to be tamed. */
export const ciWorkflow = `name: CI
on:
  push:
    branches: [main]
  pull_request:
  workflow_dispatch:
    inputs:
      depth:
        description: How deep to sound, in metres
        required: true
        default: '5'
      storm:
        description: Let the mooring break
        type: boolean
        default: false
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - name: Tide tables
        run: |
          echo "::group::Tide tables"
          printf '\\033[32mhigh\\033[0m 06:12, \\033[34mlow\\033[0m 12:25\\n'
          printf '\\033]0;not a title\\007the bell rings\\n'
          echo "::warning file=tides.csv,line=3::the third day is a guess"
          echo "::endgroup::"
          echo '{"tides":3}' > out/report.json
          echo "# Guide" > out/docs/guide.md
      - name: Keep the report
        uses: actions/upload-artifact@v4
        with:
          name: report
          path: out
  mooring:
    name: Mooring on \${{ matrix.pier }}
    needs: build
    runs-on: ubuntu-latest
    strategy:
      matrix:
        pier: [north, south]
    steps:
      - run: echo "sounding \${{ inputs.depth }} m at the \${{ matrix.pier }} pier"
      - name: Storm
        if: inputs.storm
        run: |
          echo "::error::the line broke"
          exit 3
      - name: Tidy up
        if: always()
        run: echo "lines coiled"
`;
