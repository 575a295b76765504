void multiply(int n, const float *restrict a, const float *restrict b, float *restrict c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

void blur(int n, const float *restrict in, float *restrict out) {
    for (int i = 1; i < n - 1; i++)
        out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}
